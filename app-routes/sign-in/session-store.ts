import session, { type SessionData } from 'express-session';
import type { Sessions } from '../../accounts/sessions.js';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    /** The start of the session (ISO 8601). */
    begunAt: string;
    /** The time at which the session ends even if it is in use (ISO 8601). */
    endsAt: string;
    /** The stored expiry time of the session, without further requests (ISO 8601). Set when the session is read. */
    keptUntil?: string;
  }
}

export interface SessionStoreParts {
  readonly sessions: Sessions;
  /** The maximum time between two requests of a session. */
  readonly idleMs: number;
  readonly clock: () => Date;
}

type Done = (error?: unknown) => void;

/** The store in which express-session keeps sessions: the tables of the service. */
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

  /** Adds a session. Throws `RemovedUserError`. */
  async add(id: string, data: SessionData, now: Date): Promise<void> {
    const expiresAt = this.#expiry(data, now);
    await this.#sessions.add(id, { userId: data.userId, data: JSON.stringify(data), expiresAt }, now);
  }

  /**
   * Does nothing: only `add` creates sessions. express-session calls it at the end of a response, and would so restore a session that ended
   * during the request.
   */
  override set(_id: string, _data: SessionData, done: Done = () => undefined): void {
    done();
  }

  override destroy(id: string, done: Done = () => undefined): void {
    this.#sessions.end(id, this.#clock()).then(() => done(), done);
  }

  /** express-session calls this method after every request that has a session. */
  override touch(id: string, data: SessionData, done: Done = () => undefined): void {
    this.#prolong(id, data, this.#clock()).then(() => done(), done);
  }

  async #read(id: string): Promise<SessionData | null> {
    const found = await this.#sessions.find(id, this.#clock());
    if (found === undefined) return null;
    return { ...(JSON.parse(found.data) as SessionData), keptUntil: found.expiresAt.toISOString() };
  }

  /**
   * Extends a session. To limit the number of writes, it is written at most twenty times per `idleMs` and not with each request. A session
   * that has ended in the meantime is not restored.
   */
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
