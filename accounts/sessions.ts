import { createHash } from 'node:crypto';
import { type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';
import { RemovedUserError } from './users.js';

/** A stored session. */
export interface Session {
  readonly userId: number;
  /** A JSON object. Its member `begunAt` (ISO 8601) determines which session is the oldest. */
  readonly data: string;
  /** The session expires at this time. */
  readonly expiresAt: Date;
}

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
    });
  }

  /** Changes the expiry time of a session. Does nothing if the session has ended. */
  async extend(id: string, expiresAt: Date): Promise<void> {
    await this.#state.transaction((tables) =>
      tables.run('UPDATE sys_sessions SET expires_at = :p2 WHERE id_hash = :p1', [hashOf(id), sqlTime(expiresAt)]),
    );
  }

  async end(id: string): Promise<void> {
    await this.#state.transaction((tables) => tables.run('DELETE FROM sys_sessions WHERE id_hash = :p1', [hashOf(id)]));
  }
}

/** Maximum number of sessions of a user. */
const MAX_SESSIONS = 10;

async function deleteOldestSessions(tables: StateTables, userId: number): Promise<void> {
  const rows = await tables.rows('SELECT id_hash, data FROM sys_sessions WHERE user_id = :p1', [userId]);
  const sessions = rows.map(([hash, data]) => ({ hash: String(hash), begunAt: begunAtOf(String(data)) }));
  // The age is taken from `begunAt`, because each use of a session changes `expires_at`.
  const newestFirst = sessions.sort((a, b) => (a.begunAt < b.begunAt ? 1 : -1));
  for (const { hash } of newestFirst.slice(MAX_SESSIONS - 1)) {
    await tables.run('DELETE FROM sys_sessions WHERE id_hash = :p1', [hash]);
  }
}

/** Sessions of earlier program versions have no `begunAt` and count as the oldest. */
function begunAtOf(data: string): string {
  return (JSON.parse(data) as { readonly begunAt?: string }).begunAt ?? '';
}

/** Hashes a session id. Ids are long and random, so a hash without a salt is sufficient. */
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
