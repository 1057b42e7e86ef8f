import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Cell, type Database, sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import { writeAuditEntry } from '../audit-log.js';
import { lockUser } from '../lock-user.js';
import { readStateRows } from '../state-reads.js';
import type { StateStore, StateTables } from '../state-store.js';
import { createSecret, hashOf, idInSecret } from './api-key.js';

/** An API key of a user, without its secret. Times are ISO 8601 in UTC. */
export interface UserKey {
  /** Eight hexadecimal digits in lower case. The secret contains the id. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** The key is valid before this time. */
  readonly expiresAt: string;
  readonly expired: boolean;
  /** The last use, at most one minute too early; null if the key was never used. */
  readonly lastUsedAt: string | null;
}

/** A new key with its secret, which is not stored. */
export interface NewUserKey extends UserKey {
  readonly secret: string;
}

/** A key whose secret was sent. */
export interface FoundUserKey {
  readonly id: string;
  readonly userId: number;
  readonly lastUsedAt: string | null;
}

/** Thrown if the user has reached the maximum number of active keys. */
export class TooManyKeysError extends Error {
  override readonly name = 'TooManyKeysError';
}

/** The API keys that users of the service create for their own account. Methods throw the errors of the database. */
export class UserKeys {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Lists the keys of a user, newest first. Expired keys are included until they are deleted. */
  async list(userId: number, now: Date): Promise<UserKey[]> {
    const rows = await readStateRows(
      this.#database,
      `SELECT id, name, created_at, expires_at, last_used_at FROM sys_user_keys
       WHERE user_id = :p1 ORDER BY created_at DESC, id`,
      [userId],
    );
    return rows.map((row) => toKey(row, now));
  }

  /**
   * Creates a key that expires after this number of days. Deletes the keys of the user that expired long ago. Throws `TooManyKeysError` and
   * `RemovedUserError`.
   */
  async create(userId: number, name: string, days: number, now: Date): Promise<NewUserKey> {
    const expiresAt = new Date(now.getTime() + days * DAY_MS);
    return this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      await requireFewer(tables, userId, now);
      const id = await createFreeId(tables);
      const secret = createSecret(id);
      await tables.run(
        `INSERT INTO sys_user_keys (id, user_id, name, sha256, created_at, expires_at)
         VALUES (:p1, :p2, :p3, :p4, :p5, :p6)`,
        [id, userId, name, hashOf(secret).toString('hex'), sqlTime(now), sqlTime(expiresAt)],
      );
      await auditChange(tables, { userId, action: 'create-key', id }, now);
      const times = { createdAt: isoTime(sqlTime(now)), expiresAt: isoTime(sqlTime(expiresAt)) };
      return { id, name, ...times, expired: false, lastUsedAt: null, secret };
    });
  }

  /** Revokes a key of a user. Resolves to whether it existed. Throws `RemovedUserError`. */
  async revoke(userId: number, id: string, now: Date): Promise<boolean> {
    return this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      const count = await tables.run('DELETE FROM sys_user_keys WHERE id = :p1 AND user_id = :p2', [id, userId]);
      if (count > 0) await auditChange(tables, { userId, action: 'revoke-key', id }, now);
      return count > 0;
    });
  }

  /** Returns the key with this secret; undefined if the secret is wrong, or if the key has expired. */
  async find(secret: string, now: Date): Promise<FoundUserKey | undefined> {
    const id = idInSecret(secret);
    if (id === undefined) return undefined;
    const [row] = await readStateRows(
      this.#database,
      'SELECT user_id, sha256, last_used_at FROM sys_user_keys WHERE id = :p1 AND expires_at > :p2',
      [id, sqlTime(now)],
    );
    if (row === undefined || !timingSafeEqual(Buffer.from(String(row[1]), 'hex'), hashOf(secret))) return undefined;
    return { id, userId: Number(row[0]), lastUsedAt: timeOrNull(row[2]) };
  }

  /** Stores the time of a use. Does nothing if the key was revoked. */
  async markUsed(id: string, now: Date): Promise<void> {
    await this.#state.transaction((tables) =>
      tables.run('UPDATE sys_user_keys SET last_used_at = :p2 WHERE id = :p1', [id, sqlTime(now)]),
    );
  }
}

/** Maximum number of active keys of a user. */
const MAX_KEYS = 10;
const DAY_MS = 86_400_000;
/** A user sees an expired key for this time. */
const KEEP_EXPIRED_MS = 90 * DAY_MS;

async function requireFewer(tables: StateTables, userId: number, now: Date): Promise<void> {
  const outdated = sqlTime(new Date(now.getTime() - KEEP_EXPIRED_MS));
  await tables.run('DELETE FROM sys_user_keys WHERE user_id = :p1 AND expires_at <= :p2', [userId, outdated]);
  const active = await tables.rows('SELECT id FROM sys_user_keys WHERE user_id = :p1 AND expires_at > :p2', [
    userId,
    sqlTime(now),
  ]);
  if (active.length < MAX_KEYS) return;
  throw new TooManyKeysError(`You already have ${MAX_KEYS} API keys. Revoke one of them first.`);
}

async function createFreeId(tables: StateTables): Promise<string> {
  const id = randomBytes(4).toString('hex');
  const taken = await tables.rows('SELECT id FROM sys_user_keys WHERE id = :p1', [id]);
  return taken.length === 0 ? id : createFreeId(tables);
}

function toKey([id, name, createdAt, expiresAt, lastUsedAt]: readonly Cell[], now: Date): UserKey {
  return {
    id: String(id),
    name: String(name),
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    expired: isoTime(expiresAt) <= isoTime(sqlTime(now)),
    lastUsedAt: timeOrNull(lastUsedAt),
  };
}

function timeOrNull(stored: Cell | undefined): string | null {
  return stored === null || stored === undefined ? null : isoTime(stored);
}

interface KeyEvent {
  readonly userId: number;
  readonly action: string;
  readonly id: string;
}

function auditChange(tables: StateTables, { userId, action, id }: KeyEvent, at: Date): Promise<void> {
  return writeAuditEntry(tables, { at, actor: `user ${userId}`, action, subject: `key ${id}` });
}
