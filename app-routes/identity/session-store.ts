import session, { type SessionData } from 'express-session';
import type { Sessions } from '../../warehouse/state/sessions.js';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    /** ISO 8601: when it ends at the latest. */
    endsAt: string;
  }
}

export interface SessionStoreParts {
  readonly sessions: Sessions;
  /** For how long a session lasts that is not used. */
  readonly idleMs: number;
}

type Done = (error?: unknown) => void;

/** Where express-session keeps its sessions: in the tables of the service. */
export class SessionStore extends session.Store {
  readonly #sessions: Sessions;
  readonly #idleMs: number;

  constructor({ sessions, idleMs }: SessionStoreParts) {
    super();
    this.#sessions = sessions;
    this.#idleMs = idleMs;
  }

  override get(id: string, done: (error: unknown, data?: SessionData | null) => void): void {
    this.#read(id).then((data) => done(null, data), done);
  }

  /** Throws `RemovedUserError`. */
  async add(id: string, data: SessionData): Promise<void> {
    const now = new Date();
    const expiresAt = this.#expiry(data, now);
    await this.#sessions.add(id, { userId: data.userId, data: JSON.stringify(data), expiresAt }, now);
  }

  /** Sessions come by `add` alone: as a response ends, express-session would bring back one that was ended meanwhile. */
  override set(_id: string, _data: SessionData, done: Done = () => undefined): void {
    done();
  }

  override destroy(id: string, done: Done = () => undefined): void {
    this.#sessions.end(id).then(() => done(), done);
  }

  /** Called after every request of a session. */
  override touch(id: string, data: SessionData, done: Done = () => undefined): void {
    const now = new Date();
    this.#prolong(id, this.#expiry(data, now), now).then(() => done(), done);
  }

  async #read(id: string): Promise<SessionData | null> {
    const found = await this.#sessions.find(id, new Date());
    return found === undefined ? null : (JSON.parse(found.data) as SessionData);
  }

  /** Writes now and then, not with each request. */
  async #prolong(id: string, expiresAt: Date, now: Date): Promise<void> {
    const found = await this.#sessions.find(id, now);
    if (found === undefined) return;
    const gain = expiresAt.getTime() - found.expiresAt.getTime();
    if (gain > this.#idleMs / WRITES_PER_IDLE_TIME) await this.#sessions.prolong(id, expiresAt);
  }

  #expiry({ endsAt }: SessionData, now: Date): Date {
    return new Date(Math.min(Date.parse(endsAt), now.getTime() + this.#idleMs));
  }
}

const WRITES_PER_IDLE_TIME = 20;
