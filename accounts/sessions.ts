import { createHash } from 'node:crypto';
import { type Cell, type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { writeAuditEntry } from './audit-log.js';
import { lockUser } from './lock-user.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';
import { RemovedUserError } from './users.js';

/** A stored session. */
export interface Session {
  readonly userId: number;
  /**
   * A JSON object. Its member `begunAt` (ISO 8601) determines which session is the oldest. `endsAt` is the time at which the session ends
   * even if it is in use.
   */
  readonly data: string;
  /** The session expires at this time. */
  readonly expiresAt: Date;
}

/** A session as its user sees it. Times are ISO 8601. */
export interface ListedSession {
  /** The beginning of the hash of the session id: unique among the sessions of a user, and useless as a credential. */
  readonly id: string;
  /** Null for sessions of earlier program versions. */
  readonly begunAt: string | null;
  /** The last request that extended the session; null if it is not known. */
  readonly lastSeenAt: string | null;
  /** When the session expires without a further request. */
  readonly expiresAt: string;
  /** Whether the request that lists the sessions belongs to this session. */
  readonly current: boolean;
}

/** A session expires after this time without a request. */
export const SESSION_IDLE_MS = 24 * 3_600_000;

/** Browser sessions. Only hashes of their ids are stored, so that a person who can read the table cannot use the sessions. */
export class Sessions {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Returns the session with this id; undefined if the id is unknown or the session has expired. */
  async find(id: string, now: Date): Promise<Session | undefined> {
    const [row] = await readStateRows(
      this.#database,
      'SELECT user_id, data, expires_at FROM sys_sessions WHERE id_hash = :p1 AND expires_at > :p2',
      [hashOf(id), sqlTime(now)],
    );
    return row && { userId: Number(row[0]), data: String(row[1]), expiresAt: new Date(isoTime(row[2])) };
  }

  /**
   * Adds a session. Deletes the expired sessions of all users, and the oldest sessions of this user above the limit.
   * Throws `RemovedUserError` if the user was removed or disabled in the meantime.
   */
  async add(id: string, { userId, data, expiresAt }: Session, now: Date): Promise<void> {
    await this.#state.transaction(async (tables) => {
      const [user] = await tables.rows('SELECT is_disabled FROM sys_users WHERE id = :p1', [userId]);
      if (user === undefined || Number(user[0]) === 1) throw new RemovedUserError('This user may not sign in.');
      await tables.run('DELETE FROM sys_sessions WHERE expires_at <= :p1', [sqlTime(now)]);
      await deleteOldestSessions(tables, userId);
      await tables.run('INSERT INTO sys_sessions (id_hash, user_id, data, expires_at) VALUES (:p1, :p2, :p3, :p4)', [
        hashOf(id),
        userId,
        data,
        sqlTime(expiresAt),
      ]);
      await auditChange(tables, { userId, action: 'sign-in', subject: `session ${publicIdOf(id)}` }, now);
    });
  }

  /** Lists the sessions of a user that have not expired, newest first. `currentId` is the id of the session of this request, if it has one. */
  async list(userId: number, currentId: string | undefined, now: Date): Promise<ListedSession[]> {
    const current = currentId === undefined ? undefined : hashOf(currentId);
    const rows = await readStateRows(
      this.#database,
      'SELECT id_hash, data, expires_at FROM sys_sessions WHERE user_id = :p1 AND expires_at > :p2',
      [userId, sqlTime(now)],
    );
    return newestFirst(rows).map(([hash, data, expiresAt]) => ({
      id: String(hash).slice(0, PUBLIC_DIGITS),
      ...timesOf(String(data), isoTime(expiresAt)),
      current: hash === current,
    }));
  }

  /** Changes the expiry time of a session. Does nothing if the session has ended. */
  async extend(id: string, expiresAt: Date): Promise<void> {
    await this.#state.transaction((tables) =>
      tables.run('UPDATE sys_sessions SET expires_at = :p2 WHERE id_hash = :p1', [hashOf(id), sqlTime(expiresAt)]),
    );
  }

  /** Ends a session at its sign-out. Does nothing if the session has ended. */
  async end(id: string, now: Date): Promise<void> {
    await this.#state.transaction(async (tables) => {
      const [row] = await tables.rows('SELECT user_id FROM sys_sessions WHERE id_hash = :p1', [hashOf(id)]);
      if (row === undefined) return;
      await tables.run('DELETE FROM sys_sessions WHERE id_hash = :p1', [hashOf(id)]);
      await auditChange(
        tables,
        { userId: Number(row[0]), action: 'sign-out', subject: `session ${publicIdOf(id)}` },
        now,
      );
    });
  }

  /** Ends the session of a user with this `id` of `list`. Resolves to whether it existed. Throws `RemovedUserError`. */
  async endListed(userId: number, publicId: string, now: Date): Promise<boolean> {
    return this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      const rows = await tables.rows('SELECT id_hash FROM sys_sessions WHERE user_id = :p1', [userId]);
      const hash = rows.map(([one]) => String(one)).find((one) => one.startsWith(publicId));
      if (hash === undefined) return false;
      await tables.run('DELETE FROM sys_sessions WHERE id_hash = :p1', [hash]);
      await auditChange(tables, { userId, action: 'end-session', subject: `session ${publicId}` }, now);
      return true;
    });
  }

  /** Ends all sessions of a user. Throws `RemovedUserError`. */
  async endAll(userId: number, now: Date): Promise<void> {
    await this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      const count = await tables.run('DELETE FROM sys_sessions WHERE user_id = :p1', [userId]);
      if (count === 0) return;
      await auditChange(
        tables,
        { userId, action: 'end-sessions', subject: `user ${userId}`, detail: String(count) },
        now,
      );
    });
  }
}

/** Returns the `id` of a session in lists. */
export function publicIdOf(id: string): string {
  return hashOf(id).slice(0, PUBLIC_DIGITS);
}

const PUBLIC_DIGITS = 12;

/** Maximum number of sessions of a user. */
const MAX_SESSIONS = 10;

async function deleteOldestSessions(tables: StateTables, userId: number): Promise<void> {
  const rows = await tables.rows('SELECT id_hash, data FROM sys_sessions WHERE user_id = :p1', [userId]);
  for (const [hash] of newestFirst(rows).slice(MAX_SESSIONS - 1)) {
    await tables.run('DELETE FROM sys_sessions WHERE id_hash = :p1', [String(hash)]);
  }
}

/**
 * Sorts rows whose second cell is the data of a session. The age is taken from `begunAt`, because each use of a session changes
 * `expires_at`. Sessions of earlier program versions have no `begunAt` and count as the oldest.
 */
function newestFirst(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const begunAt = ([, data]: readonly Cell[]) => timesIn(String(data)).begunAt ?? '';
  return [...rows].sort((a, b) => (begunAt(a) < begunAt(b) ? 1 : -1));
}

/** Reads the times in the data of a session (ISO 8601). */
function timesIn(data: string): { readonly begunAt?: string; readonly endsAt?: string } {
  return JSON.parse(data) as ReturnType<typeof timesIn>;
}

/** Derives the last extension from the expiry time, which is `SESSION_IDLE_MS` later, unless the maximum duration of the session ends earlier. */
function timesOf(data: string, expiresAt: string): Pick<ListedSession, 'begunAt' | 'lastSeenAt' | 'expiresAt'> {
  const { begunAt, endsAt } = timesIn(data);
  const isIdleLimit = endsAt !== undefined && expiresAt < truncateToSeconds(endsAt);
  return {
    begunAt: begunAt === undefined ? null : truncateToSeconds(begunAt),
    lastSeenAt: isIdleLimit ? truncateToSeconds(Date.parse(expiresAt) - SESSION_IDLE_MS) : null,
    expiresAt,
  };
}

/** Formats a time in ISO 8601 with whole seconds, like the times of the database. */
function truncateToSeconds(time: string | number): string {
  return isoTime(sqlTime(new Date(time)));
}

interface SessionEvent {
  readonly userId: number;
  readonly action: string;
  readonly subject: string;
  readonly detail?: string;
}

function auditChange(tables: StateTables, { userId, ...event }: SessionEvent, at: Date): Promise<void> {
  return writeAuditEntry(tables, { at, actor: `user ${userId}`, ...event });
}

/** Hashes a session id. Ids are long and random, so a hash without a salt is sufficient. */
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
