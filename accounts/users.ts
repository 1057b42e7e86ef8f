import { type Cell, type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { audit, OPERATOR } from './audit-log.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';

/** Who somebody is, as an issuer of credentials tells it. */
export interface Account {
  /** Who keeps the account, such as the issuer's name; with `accountId` it is the identity. */
  readonly provider: string;
  readonly accountId: string;
  readonly login: string;
  readonly name: string;
  /** Empty where the issuer does not tell it. */
  readonly email: string;
  readonly avatarUrl: string;
  /** When the issuer told this: what it tells later replaces it. */
  readonly toldAt: Date;
}

export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly getsUpdates: boolean;
  readonly isTrusted: boolean;
  readonly isDisabled: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly provider: string;
  readonly accountId: string;
  readonly login: string;
  readonly avatarUrl: string;
}

/** The account belonged to a user whom an operator removed. */
export class RemovedUserError extends Error {
  override readonly name = 'RemovedUserError';
}

/** Users and the accounts by which they sign in. Throws what its database throws, and `RemovedUserError`. */
export class Users {
  constructor(
    private readonly database: Database,
    private readonly state: StateStore,
  ) {}

  /** The user of an account; makes one at the first call, and takes over what the account tells anew. */
  async signIn(account: Account, now: Date): Promise<User> {
    const [found] = await this.#select(OF_ACCOUNT, keyOf(account));
    if (found !== undefined && !isNews(found, account)) return userOf(found, account);
    // What is read is the copy of a server that may be late: who was just made would not be there.
    return this.state.transaction(async (tables) => {
      await store(tables, account, now);
      const [stored = []] = await tables.rows(`${SELECT} ${OF_ACCOUNT}`, keyOf(account));
      return userOf(stored, account);
    });
  }

  /** The user of an id. */
  async byId(id: number): Promise<User | undefined> {
    const [row] = await this.#select('WHERE a.user_id = :p1', [id]);
    return row && userOf(row);
  }

  /** Users of a login on any provider, which may be several. */
  async byLogin(login: string): Promise<User[]> {
    return (await this.#select('WHERE LOWER(a.login) = :p1', [login.toLowerCase()])).map((row) => userOf(row));
  }

  /** Up to `most` users, the newest first. */
  async newest(most: number): Promise<User[]> {
    return (await this.#select(`WHERE u.id IS NOT NULL ORDER BY u.id DESC LIMIT ${most}`, [])).map((row) =>
      userOf(row),
    );
  }

  async setEmailUpdates(id: number, enable: boolean, now: Date): Promise<void> {
    await this.#set(
      id,
      { column: 'email_get_updates', value: enable, actor: `user ${id}`, action: 'email-updates' },
      now,
    );
  }

  async setTrusted(id: number, value: boolean, now: Date): Promise<void> {
    await this.#set(id, { column: 'is_trusted', value, actor: OPERATOR, action: 'trust' }, now);
  }

  async setDisabled(id: number, value: boolean, now: Date): Promise<void> {
    await this.#set(id, { column: 'is_disabled', value, actor: OPERATOR, action: 'disable' }, now);
  }

  /** Removes a user and all that they chose. Their account stays, without a word about them, so that it makes no new user. */
  async remove(id: number, now: Date): Promise<void> {
    await this.state.transaction(async (tables) => {
      // Whoever is about to add to what goes here waits, and finds no user then.
      await tables.rows('SELECT id FROM sys_users WHERE id = :p1', [id]);
      for (const table of ['sys_subscribed_repos', 'sys_sessions']) {
        await tables.run(`DELETE FROM ${table} WHERE user_id = :p1`, [id]);
      }
      await tables.run("UPDATE sys_accounts SET user_id = NULL, login = '', avatar_url = '' WHERE user_id = :p1", [id]);
      const removed = await tables.run('DELETE FROM sys_users WHERE id = :p1', [id]);
      if (removed > 0) await audit(tables, { at: now, actor: OPERATOR, action: 'remove', subject: `user ${id}` });
    });
  }

  async #set(id: number, change: Switch, now: Date): Promise<void> {
    const { column, value, actor, action } = change;
    await this.state.transaction(async (tables) => {
      const [[before] = []] = await tables.rows(`SELECT ${column} FROM sys_users WHERE id = :p1`, [id]);
      if (before === undefined) throw new RemovedUserError(`There is no user ${id}.`);
      if (Number(before) === Number(value)) return;
      await tables.run(`UPDATE sys_users SET ${column} = :p1 WHERE id = :p2`, [Number(value), id]);
      if (column === 'is_disabled') await tables.run('DELETE FROM sys_sessions WHERE user_id = :p1', [id]);
      await audit(tables, { at: now, actor, action, subject: `user ${id}`, detail: value ? 'on' : 'off' });
    });
  }

  #select(where: string, values: readonly (string | number)[]): Promise<readonly (readonly Cell[])[]> {
    return readStateRows(this.database, `${SELECT} ${where}`, values);
  }
}

interface Switch {
  readonly column: 'email_get_updates' | 'is_trusted' | 'is_disabled';
  readonly value: boolean;
  readonly actor: string;
  readonly action: string;
}

const SELECT = `
  SELECT a.profile_at, u.id, u.name, u.email_address, u.email_get_updates, u.is_trusted, u.is_disabled, u.created_at,
    a.provider, a.provider_account_id, a.login, a.avatar_url
  FROM sys_accounts a LEFT JOIN sys_users u ON u.id = a.user_id`;

const OF_ACCOUNT = 'WHERE a.provider = :p1 AND a.provider_account_id = :p2';

function keyOf({ provider, accountId }: Account): [string, string] {
  return [provider, accountId];
}

/** Whether the account tells something new; an old credential that is used again tells nothing. */
function isNews(row: readonly Cell[], { toldAt, login, name, email, avatarUrl }: Account): boolean {
  if (row[1] === null || sqlTime(toldAt) <= String(row[0])) return false;
  const user = userOf(row);
  return user.login !== login || user.name !== name || user.email !== email || user.avatarUrl !== avatarUrl;
}

/** The user of a row. Throws if the row was selected by `account` but belongs to another account. */
function userOf(row: readonly Cell[], account?: Pick<Account, 'provider' | 'accountId'>): User {
  const [, id = null, ...cells] = row;
  if (account !== undefined) requireSame(row, account);
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

/** The start checks that keys compare by their exact bytes. If a table was changed since, no account may get the user of another one. */
function requireSame(row: readonly Cell[], account: Pick<Account, 'provider' | 'accountId'>): void {
  const [provider, accountId] = row.slice(8);
  if (provider === account.provider && accountId === account.accountId) return;
  throw new Error(
    'The database returned a different account than the requested one: check the collation of sys_accounts.',
  );
}

async function store(tables: StateTables, account: Account, now: Date): Promise<void> {
  const { login, name, email, avatarUrl, toldAt } = account;
  const [key, profileAt] = [keyOf(account), sqlTime(toldAt)];
  const [there] = await tables.rows(
    'SELECT user_id, profile_at FROM sys_accounts WHERE provider = :p1 AND provider_account_id = :p2',
    key,
  );
  if (there === undefined) {
    const id = await nextNumber(tables, 'user');
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
    await audit(tables, { at: now, actor: `user ${id}`, action: 'sign-up', subject: `user ${id}` });
    return;
  }
  const [id = null, before] = there;
  if (id === null || String(before) >= profileAt) return;
  await tables.run('UPDATE sys_users SET name = :p1, email_address = :p2 WHERE id = :p3', [name, email, id]);
  await tables.run(
    `UPDATE sys_accounts SET login = :p3, avatar_url = :p4, profile_at = :p5
     WHERE provider = :p1 AND provider_account_id = :p2`,
    [...key, login, avatarUrl, profileAt],
  );
}

/** The next of the numbers of a name, from 1. Who asks at the same time waits. */
async function nextNumber(tables: StateTables, name: string): Promise<number> {
  const [[last] = []] = await tables.rows('SELECT value FROM sys_counters WHERE name = :p1', [name]);
  const next = Number(last ?? 0) + 1;
  if (last === undefined) await tables.run('INSERT INTO sys_counters (name, value) VALUES (:p1, :p2)', [name, next]);
  else await tables.run('UPDATE sys_counters SET value = :p1 WHERE name = :p2', [next, name]);
  return next;
}
