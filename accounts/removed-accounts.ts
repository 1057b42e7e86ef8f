import { createHmac } from 'node:crypto';
import { sqlTime } from '../engine/index.js';
import type { StateTables } from './state-store.js';

/** Returns the secret of the hashes of removed accounts. It is not in the database. */
export type ReadSecret = () => Promise<Buffer>;

export type AccountKey = readonly [provider: string, accountId: string];

/**
 * The key under which a removed account is stored: a keyed hash, so that a reader of the database cannot find out, by
 * trying all ids of a provider, which account was removed.
 */
export function removedKeyOf([provider, accountId]: AccountKey, secret: Buffer): AccountKey {
  return [
    REMOVED,
    createHmac('sha256', secret)
      .update(JSON.stringify([provider, accountId]))
      .digest('hex'),
  ];
}

/** Replaces an account by its hash, without personal data. */
export async function replaceByHash(tables: StateTables, key: AccountKey, secret: Buffer, now: Date): Promise<void> {
  const removed = removedKeyOf(key, secret);
  await tables.run('DELETE FROM sys_accounts WHERE provider = :p1 AND provider_account_id = :p2', [...key]);
  // An account can be removed again after the secret has changed back.
  await tables.run('DELETE FROM sys_accounts WHERE provider = :p1 AND provider_account_id = :p2', [...removed]);
  await tables.run(
    `INSERT INTO sys_accounts (provider, provider_account_id, user_id, login, avatar_url, profile_at)
     VALUES (:p1, :p2, NULL, '', '', :p3)`,
    [...removed, sqlTime(now)],
  );
}

/** Returns up to 500 accounts that an earlier version removed without hashing them. */
export async function readUnhashed(tables: StateTables): Promise<readonly AccountKey[]> {
  const rows = await tables.rows(
    'SELECT provider, provider_account_id FROM sys_accounts WHERE user_id IS NULL AND provider <> :p1 LIMIT 500',
    [REMOVED],
  );
  return rows.map(([provider, accountId]) => [String(provider), String(accountId)]);
}

/** The provider of all removed accounts. The names of providers in tokens contain no space. */
const REMOVED = 'removed account';
