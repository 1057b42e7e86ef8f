import { createHmac } from 'node:crypto';
import { type Cell, type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { OPERATOR, writeAuditEntry } from './audit-log.js';
import { takeNextNumber } from './counters.js';
import { type DigestStatus, disableDigest, enableDigest } from './digests.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';

/** The account of a person, as described by the identity provider. */
export interface Account {
  /** The provider of the account, for example the issuer. The account is identified by `provider` and `accountId` together. */
  readonly provider: string;
  readonly accountId: string;
  readonly login: string;
  readonly name: string;
  /** The e-mail address; empty if the provider does not send it. */
  readonly email: string;
  readonly avatarUrl: string;
  /** When the provider issued this profile. A later profile replaces it. */
  readonly profileAt: Date;
}

export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly getsUpdates: boolean;
  readonly isTrusted: boolean;
  readonly isDisabled: boolean;
  /** The time of the first sign-in, ISO 8601. */
  readonly createdAt: string;
  readonly provider: string;
  readonly accountId: string;
  readonly login: string;
  readonly avatarUrl: string;
}

/**
 * Deletes a batch of the rows that a higher layer, such as the explorer, stores for a user. Resolves to whether more such rows may exist.
 * The function is passed in because this layer must not know the higher layer.
 */
export type DeleteOwnedRows = (tables: StateTables, userId: number) => Promise<boolean>;

/** Thrown if the user of an account was removed. */
export class RemovedUserError extends Error {
  override readonly name = 'RemovedUserError';
}

/** Tables with rows of a user, which are deleted with the user. */
const OWNED_TABLES = ['sys_subscribed_repos', 'sys_sessions', 'sys_user_keys', 'sys_user_roles', 'sys_digests'];

/** Users and the accounts with which they sign in. Methods throw the errors of the database, and `RemovedUserError`. */
export class Users {
  readonly #database: Database;
  readonly #state: StateStore;
  readonly #readSecret: ReadSecret;

  constructor(database: Database, state: StateStore, readSecret: ReadSecret) {
    this.#database = database;
    this.#state = state;
    this.#readSecret = readSecret;
  }

  /**
   * Returns the user of an account. Creates the user on the first call, and updates the stored profile if the account
   * has a newer one.
   */
  async signIn(account: Account, now: Date): Promise<User> {
    const [found] = await this.#select(WHERE_ACCOUNT, keyOf(account));
    if (found !== undefined && !hasNewProfile(found, account)) return toUser(found, account);
    const removedKey = removedKeyOf(keyOf(account), await this.#readSecret());
    // This check uses no transaction, because a removed user may send many requests.
    const removed = found === undefined ? await this.#select(WHERE_ACCOUNT, removedKey) : [];
    if (removed.length > 0) throw new RemovedUserError('This user was removed.');
    // The reads above may come from a replica, which may not contain a user that was just created.
    return this.#state.transaction(async (tables) => {
      await storeAccount(tables, account, removedKey, now);
      const [stored = []] = await tables.rows(`${SELECT} ${WHERE_ACCOUNT}`, keyOf(account));
      return toUser(stored, account);
    });
  }

  /** Finds a user by id. */
  async findById(id: number): Promise<User | undefined> {
    const [row] = await this.#select('WHERE a.user_id = :p1', [id]);
    return row && toUser(row);
  }

  /** Finds users by login. Several providers may have the same login. */
  async findByLogin(login: string): Promise<User[]> {
    return (await this.#select('WHERE LOWER(a.login) = :p1', [login.toLowerCase()])).map((row) => toUser(row));
  }

  /** Lists up to `limit` users, newest first. */
  async listNewest(limit: number): Promise<User[]> {
    return (await this.#select(`WHERE u.id IS NOT NULL ORDER BY u.id DESC LIMIT ${limit}`, [])).map((row) =>
      toUser(row),
    );
  }

  /**
   * Enables or disables the weekly digest by e-mail. Without a time zone, the digest keeps its time zone. `actor` is who makes the change, for
   * the audit log. Resolves to the digest; undefined if it is disabled.
   */
  async setEmailUpdates(
    id: number,
    enable: boolean,
    now: Date,
    { timeZone, actor = `user ${id}` }: { readonly timeZone?: string | undefined; readonly actor?: string } = {},
  ): Promise<DigestStatus | undefined> {
    const change = { column: 'email_get_updates', value: enable, actor, action: 'email-updates' } as const;
    return this.#state.transaction(async (tables) => {
      await setFlag(tables, id, change, now);
      if (enable) return enableDigest(tables, id, now, timeZone);
      await disableDigest(tables, id);
      return undefined;
    });
  }

  async setTrusted(id: number, value: boolean, now: Date): Promise<void> {
    await this.#setFlag(id, { column: 'is_trusted', value, actor: OPERATOR, action: 'trust' }, now);
  }

  async setDisabled(id: number, value: boolean, now: Date): Promise<void> {
    await this.#setFlag(id, { column: 'is_disabled', value, actor: OPERATOR, action: 'disable' }, now);
  }

  /** Returns the stored profile of a user, with the time at which the provider issued it (ISO 8601). */
  async findProfile(id: number): Promise<(User & { readonly profileAt: string }) | undefined> {
    const [row] = await this.#select('WHERE a.user_id = :p1', [id]);
    return row && { ...toUser(row), profileAt: isoTime(row[0]) };
  }

  /**
   * Removes a user, the user's subscriptions, digest, sessions, API keys and roles, and the rows that `deleteOwned` deletes. A keyed hash of the account is
   * kept, so that a later sign-in does not create a new user for it. At the end, the deleted values are erased from the files of the
   * database. Resolves to whether this call removed the user. `actor` is who removes the user, for the audit log.
   */
  async remove(id: number, now: Date, deleteOwned: DeleteOwnedRows, actor = OPERATOR): Promise<boolean> {
    // Most rows are deleted in small transactions. After an interruption, the user still exists and can be removed again.
    while (await this.#state.transaction((tables) => deleteOwned(tables, id)));
    const secret = await this.#readSecret();
    const isRemoved = await this.#state.transaction(async (tables) => {
      // Locks the row of the user. Concurrent writes for the user wait for the lock, and then fail because the user is removed.
      await tables.rows('SELECT id FROM sys_users WHERE id = :p1', [id]);
      while (await deleteOwned(tables, id));
      for (const table of OWNED_TABLES) {
        await tables.run(`DELETE FROM ${table} WHERE user_id = :p1`, [id]);
      }
      const accounts = await tables.rows('SELECT provider, provider_account_id FROM sys_accounts WHERE user_id = :p1', [
        id,
      ]);
      for (const [provider, accountId] of accounts)
        await replaceByHash(tables, [String(provider), String(accountId)], secret, now);
      const removed = await tables.run('DELETE FROM sys_users WHERE id = :p1', [id]);
      if (removed > 0) await writeAuditEntry(tables, { at: now, actor, action: 'remove', subject: `user ${id}` });
      return removed > 0;
    });
    if (isRemoved) await this.#state.eraseDeleted();
    return isRemoved;
  }

  /** Replaces the accounts that earlier program versions removed by their hashes. */
  async hashEarlierRemovals(now: Date): Promise<void> {
    const secret = await this.#readSecret();
    const hashSome = () =>
      this.#state.transaction(async (tables) => {
        const keys = await readUnhashed(tables);
        for (const key of keys) await replaceByHash(tables, key, secret, now);
        return keys.length;
      });
    let hasChanged = false;
    while ((await hashSome()) > 0) hasChanged = true;
    if (hasChanged) await this.#state.eraseDeleted();
  }

  async #setFlag(id: number, change: FlagChange, now: Date): Promise<void> {
    await this.#state.transaction((tables) => setFlag(tables, id, change, now));
  }

  #select(where: string, values: readonly (string | number)[]): Promise<readonly (readonly Cell[])[]> {
    return readStateRows(this.#database, `${SELECT} ${where}`, values);
  }
}

interface FlagChange {
  readonly column: 'email_get_updates' | 'is_trusted' | 'is_disabled';
  readonly value: boolean;
  readonly actor: string;
  readonly action: string;
}

/** Sets a flag and locks the row of the user. */
async function setFlag(tables: StateTables, id: number, change: FlagChange, now: Date): Promise<void> {
  const { column, value, actor, action } = change;
  const [[before] = []] = await tables.rows(`SELECT ${column} FROM sys_users WHERE id = :p1`, [id]);
  if (before === undefined) throw new RemovedUserError(`There is no user ${id}.`);
  if (Number(before) === Number(value)) return;
  await tables.run(`UPDATE sys_users SET ${column} = :p1 WHERE id = :p2`, [Number(value), id]);
  if (column === 'is_disabled') await tables.run('DELETE FROM sys_sessions WHERE user_id = :p1', [id]);
  await writeAuditEntry(tables, { at: now, actor, action, subject: `user ${id}`, detail: value ? 'on' : 'off' });
}

const SELECT = `
  SELECT a.profile_at, u.id, u.name, u.email_address, u.email_get_updates, u.is_trusted, u.is_disabled, u.created_at,
    a.provider, a.provider_account_id, a.login, a.avatar_url
  FROM sys_accounts a LEFT JOIN sys_users u ON u.id = a.user_id`;

const WHERE_ACCOUNT = 'WHERE a.provider = :p1 AND a.provider_account_id = :p2';

function keyOf({ provider, accountId }: Account): AccountKey {
  return [provider, accountId];
}

/**
 * Whether the account has a newer, different profile. The time is that of the credential, so an old credential that is used again never has
 * a newer profile.
 */
function hasNewProfile(row: readonly Cell[], { profileAt, login, name, email, avatarUrl }: Account): boolean {
  if (row[1] === null || sqlTime(profileAt) <= String(row[0])) return false;
  const user = toUser(row);
  return user.login !== login || user.name !== name || user.email !== email || user.avatarUrl !== avatarUrl;
}

/** Converts a row to a user. Throws if the row was selected by `account` but belongs to another account. */
function toUser(row: readonly Cell[], account?: Pick<Account, 'provider' | 'accountId'>): User {
  const [, id = null, ...cells] = row;
  if (account !== undefined) requireSameAccount(row, account);
  if (id === null) throw new RemovedUserError('This user was removed.');
  const [name, email, getsUpdates, isTrusted, isDisabled, createdAt, provider, accountId, login, avatarUrl] = cells;
  return {
    id: Number(id),
    name: String(name),
    email: String(email),
    getsUpdates: Number(getsUpdates) === 1,
    isTrusted: Number(isTrusted) === 1,
    isDisabled: Number(isDisabled) === 1,
    createdAt: isoTime(createdAt),
    provider: String(provider),
    accountId: String(accountId),
    login: String(login),
    avatarUrl: String(avatarUrl),
  };
}

/**
 * Throws if a row belongs to another account, because the database did not compare the keys by their exact bytes. The service checks the
 * collation at its start; this check also protects users if the collation changes later.
 */
function requireSameAccount(row: readonly Cell[], account: Pick<Account, 'provider' | 'accountId'>): void {
  const [provider, accountId] = row.slice(8);
  if (provider === account.provider && accountId === account.accountId) return;
  throw new Error('The database returned another account than the requested one: check the collation of sys_accounts.');
}

const SELECT_ACCOUNT =
  'SELECT user_id, profile_at FROM sys_accounts WHERE provider = :p1 AND provider_account_id = :p2';

async function storeAccount(tables: StateTables, account: Account, removed: AccountKey, now: Date): Promise<void> {
  const { login, name, email, avatarUrl } = account;
  const [key, profileAt] = [keyOf(account), sqlTime(account.profileAt)];
  const [existing] = await tables.rows(SELECT_ACCOUNT, key);
  if (existing === undefined) {
    // This check comes after the read above, which waits for a concurrent removal.
    if ((await tables.rows(SELECT_ACCOUNT, removed)).length > 0) throw new RemovedUserError('This user was removed.');
    const id = await takeNextNumber(tables, 'user');
    await tables.run('INSERT INTO sys_users (id, name, email_address, created_at) VALUES (:p1, :p2, :p3, :p4)', [
      id,
      name,
      email,
      sqlTime(now),
    ]);
    await tables.run(
      `INSERT INTO sys_accounts (provider, provider_account_id, user_id, login, avatar_url, profile_at)
       VALUES (:p1, :p2, :p3, :p4, :p5, :p6)`,
      [...key, id, login, avatarUrl, profileAt],
    );
    await writeAuditEntry(tables, { at: now, actor: `user ${id}`, action: 'sign-up', subject: `user ${id}` });
    return;
  }
  const [id = null, before] = existing;
  if (id === null || String(before) >= profileAt) return;
  await tables.run('UPDATE sys_users SET name = :p1, email_address = :p2 WHERE id = :p3', [name, email, id]);
  await tables.run(
    `UPDATE sys_accounts SET login = :p3, avatar_url = :p4, profile_at = :p5
     WHERE provider = :p1 AND provider_account_id = :p2`,
    [...key, login, avatarUrl, profileAt],
  );
}

/** Returns the secret of the hashes of removed accounts. The secret is stored outside of the database. */
type ReadSecret = () => Promise<Buffer>;

type AccountKey = readonly [provider: string, accountId: string];

/**
 * Returns the key under which a removed account is stored. The key is a keyed hash, so that a person who can read the database cannot find
 * out which account was removed by trying all ids of a provider.
 */
function removedKeyOf([provider, accountId]: AccountKey, secret: Buffer): AccountKey {
  return [
    REMOVED,
    createHmac('sha256', secret)
      .update(JSON.stringify([provider, accountId]))
      .digest('hex'),
  ];
}

/** Replaces an account by its hash, without personal data. */
async function replaceByHash(tables: StateTables, key: AccountKey, secret: Buffer, now: Date): Promise<void> {
  const removed = removedKeyOf(key, secret);
  await tables.run('DELETE FROM sys_accounts WHERE provider = :p1 AND provider_account_id = :p2', [...key]);
  // The row can already exist, if the account was removed before with the same secret.
  await tables.run('DELETE FROM sys_accounts WHERE provider = :p1 AND provider_account_id = :p2', [...removed]);
  await tables.run(
    `INSERT INTO sys_accounts (provider, provider_account_id, user_id, login, avatar_url, profile_at)
     VALUES (:p1, :p2, NULL, '', '', :p3)`,
    [...removed, sqlTime(now)],
  );
}

/** Returns up to 500 accounts that earlier program versions removed without hashing them. */
async function readUnhashed(tables: StateTables): Promise<readonly AccountKey[]> {
  const rows = await tables.rows(
    'SELECT provider, provider_account_id FROM sys_accounts WHERE user_id IS NULL AND provider <> :p1 LIMIT 500',
    [REMOVED],
  );
  return rows.map(([provider, accountId]) => [String(provider), String(accountId)]);
}

/** The provider of all removed accounts. The names of providers in tokens contain no space. */
const REMOVED = 'removed account';
