import session, { type SessionData } from 'express-session';
import type { Sessions } from '../../accounts/sessions.js';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    /** ISO 8601: when it began. */
    begunAt: string;
    /** ISO 8601: when it ends at the latest. */
    endsAt: string;
    /** ISO 8601, of one that was read: when it ends if it is not used. */
    keptUntil?: string;
  }
}

export interface SessionStoreParts {
  readonly sessions: Sessions;
  /** For how long a session lasts that is not used. */
  readonly idleMs: number;
  readonly clock: () => Date;
}

type Done = (error?: unknown) => void;

/** Where express-session keeps its sessions: in the tables of the service. */
export class SessionStore extends session.Store {
  readonly #sessions: Sessions;
  readonly #idleMs: number;
  readonly #clock: () => Date;

  constructor({ sessions, idleMs, clock }: SessionStoreParts) {
    super();
    this.#clock = clock;
    this.#sessions = sessions;
    this.#idleMs = idleMs;
  }

  override get(id: string, done: (error: unknown, data?: SessionData | null) => void): void {
    this.#read(id).then((data) => done(null, data), done);
  }

  /** Throws `RemovedUserError`. */
  async add(id: string, data: SessionData, now: Date): Promise<void> {
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
    this.#prolong(id, data, this.#clock()).then(() => done(), done);
  }

  async #read(id: string): Promise<SessionData | null> {
    const found = await this.#sessions.find(id, this.#clock());
    if (found === undefined) return null;
    return { ...(JSON.parse(found.data) as SessionData), keptUntil: found.expiresAt.toISOString() };
  }

  /** Writes now and then, not with each request. One that has ended meanwhile stays so. */
  async #prolong(id: string, data: SessionData, now: Date): Promise<void> {
    const keptUntil = Date.parse(data.keptUntil ?? '');
    const expiresAt = this.#expiry(data, now);
    const gain = expiresAt.getTime() - keptUntil;
    if (keptUntil > now.getTime() && gain > this.#idleMs / WRITES_PER_IDLE_TIME) {
      await this.#sessions.extend(id, expiresAt);
    }
  }

  #expiry({ endsAt }: SessionData, now: Date): Date {
    return new Date(Math.min(Date.parse(endsAt), now.getTime() + this.#idleMs));
  }
}

const WRITES_PER_IDLE_TIME = 20;
