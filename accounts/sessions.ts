import { createHash } from 'node:crypto';
import { type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';
import { RemovedUserError } from './users.js';

export interface Session {
  readonly userId: number;
  /** A JSON object; its `begunAt` (ISO 8601) decides which session is the oldest. */
  readonly data: string;
  /** The session has ended from then on. */
  readonly expiresAt: Date;
}

/** Sessions of people in a browser. Their ids are kept as hashes: who reads the table can be nobody. */
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly state: StateStore,
  ) {}

  /** The session of an id, unless its time is over. */
  async find(id: string, now: Date): Promise<Session | undefined> {
    const [row] = await readStateRows(
      this.database,
      'SELECT user_id, data, expires_at FROM sys_sessions WHERE id_hash = :p1 AND expires_at > :p2',
      [hashOf(id), sqlTime(now)],
    );
    return row && { userId: Number(row[0]), data: String(row[1]), expiresAt: new Date(isoTime(row[2])) };
  }

  /**
   * Adds a session; removes the expired ones of all users, and those of this user that began first if there are too many. Throws
   * `RemovedUserError` where the user is gone, or may not sign in, meanwhile.
   */
  async add(id: string, { userId, data, expiresAt }: Session, now: Date): Promise<void> {
    await this.state.transaction(async (tables) => {
      const [user] = await tables.rows('SELECT is_disabled FROM sys_users WHERE id = :p1', [userId]);
      if (user === undefined || Number(user[0]) === 1) throw new RemovedUserError('This user may not sign in.');
      await tables.run('DELETE FROM sys_sessions WHERE expires_at <= :p1', [sqlTime(now)]);
      await makeRoom(tables, userId);
      await tables.run('INSERT INTO sys_sessions (id_hash, user_id, data, expires_at) VALUES (:p1, :p2, :p3, :p4)', [
        hashOf(id),
        userId,
        data,
        sqlTime(expiresAt),
      ]);
    });
  }

  /** Lets a session last until another time. One that is gone stays so. */
  async prolong(id: string, expiresAt: Date): Promise<void> {
    await this.state.transaction((tables) =>
      tables.run('UPDATE sys_sessions SET expires_at = :p2 WHERE id_hash = :p1', [hashOf(id), sqlTime(expiresAt)]),
    );
  }

  async end(id: string): Promise<void> {
    await this.state.transaction((tables) => tables.run('DELETE FROM sys_sessions WHERE id_hash = :p1', [hashOf(id)]));
  }
}

/** Browsers in which a person is signed in at a time. */
const MAX_SESSIONS = 10;

async function makeRoom(tables: StateTables, userId: number): Promise<void> {
  const rows = await tables.rows('SELECT id_hash, data FROM sys_sessions WHERE user_id = :p1', [userId]);
  const sessions = rows.map(([hash, data]) => ({ hash: String(hash), begunAt: begunAtOf(String(data)) }));
  // The end does not tell the age: every use puts it off.
  const newestFirst = sessions.sort((a, b) => (a.begunAt < b.begunAt ? 1 : -1));
  for (const { hash } of newestFirst.slice(MAX_SESSIONS - 1)) {
    await tables.run('DELETE FROM sys_sessions WHERE id_hash = :p1', [hash]);
  }
}

/** Sessions of earlier versions do not have it, and are the oldest. */
function begunAtOf(data: string): string {
  return (JSON.parse(data) as { readonly begunAt?: string }).begunAt ?? '';
}

/** Ids are random and long, so that a plain hash says nothing about them. */
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
