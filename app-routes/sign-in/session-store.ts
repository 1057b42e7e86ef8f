import session, { type SessionData } from 'express-session';
import type { Sessions } from '../../accounts/sessions.js';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    /** ISO 8601: when the session began. */
    begunAt: string;
    /** ISO 8601: the latest end of the session. */
    endsAt: string;
    /** ISO 8601: the stored end of the session if no request follows. Set when the session is read. */
    keptUntil?: string;
  }
}

export interface SessionStoreParts {
  readonly sessions: Sessions;
  /** The duration of a session without requests. */
  readonly idleMs: number;
  readonly clock: () => Date;
}

type Done = (error?: unknown) => void;

/** Stores the sessions of express-session in the tables of the service. */
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

  /** Does nothing: only `add` creates sessions. At the end of a response, express-session would restore a session that ended meanwhile. */
  override set(_id: string, _data: SessionData, done: Done = () => undefined): void {
    done();
  }

  override destroy(id: string, done: Done = () => undefined): void {
    this.#sessions.end(id).then(() => done(), done);
  }

  /** express-session calls it after every request of a session. */
  override touch(id: string, data: SessionData, done: Done = () => undefined): void {
    this.#prolong(id, data, this.#clock()).then(() => done(), done);
  }

  async #read(id: string): Promise<SessionData | null> {
    const found = await this.#sessions.find(id, this.#clock());
    if (found === undefined) return null;
    return { ...(JSON.parse(found.data) as SessionData), keptUntil: found.expiresAt.toISOString() };
  }

  /** Writes at most twenty times per idle time instead of with each request. A session that ended meanwhile stays ended. */
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
