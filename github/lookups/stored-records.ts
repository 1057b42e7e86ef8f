import type { BoundValue, Cell, Database, PreparedQuery } from '../../engine/index.js';
import { BEST_OF_NAME } from '../../warehouse/rules/repository-names.js';
import { isoTime } from '../../warehouse/rules/times.js';
import { text } from '../records/github-records.js';
import type { AccountRecord, RepositoryRecord } from '../records/records.js';

/** A record of the tables, and when the platform last told of it; null where only events did. */
export interface Stored<Record> {
  readonly record: Record;
  readonly refreshedAt: string | null;
}

/** Records from our tables; undefined for what is not there or was deleted on the platform. */
export interface StoredRecords {
  repository(owner: string, name: string, signal?: AbortSignal): Promise<Stored<RepositoryRecord> | undefined>;
  repositoryOfId(id: number, signal?: AbortSignal): Promise<Stored<RepositoryRecord> | undefined>;
  account(login: string, signal?: AbortSignal): Promise<Stored<AccountRecord> | undefined>;
  accountOfId(id: number, signal?: AbortSignal): Promise<Stored<AccountRecord> | undefined>;
}

export function createStoredRecords(database: Database): StoredRecords {
  const queries = {
    repository: database.prepare(repositorySql('r.repo_name_lower = :p1')),
    repositoryOfId: database.prepare(repositorySql('r.repo_id = :p1')),
    account: database.prepare(accountSql(`id IN (SELECT id FROM mv_user_names WHERE ${OF_LOGIN})`)),
    accountOfId: database.prepare(accountSql('id = :p1')),
  };
  const first = async (query: PreparedQuery, value: BoundValue, signal?: AbortSignal) => {
    const options = { maxRows: 1, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
    const { columns, rows } = await database.query(query, [value], options);
    const [row] = rows;
    return row && Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
  };
  const repository = async (query: PreparedQuery, value: BoundValue, signal?: AbortSignal) => {
    const row = await first(query, value, signal);
    return row && { record: toRepository(row), refreshedAt: time(row.refreshed_at) };
  };
  const account = async (query: PreparedQuery, value: BoundValue, signal?: AbortSignal) => {
    const row = await first(query, value, signal);
    return row && { record: toAccount(row), refreshedAt: time(row.refreshed_at) };
  };
  return {
    repository: (owner, name, signal) => repository(queries.repository, `${owner}/${name}`.toLowerCase(), signal),
    repositoryOfId: (id, signal) => repository(queries.repositoryOfId, id, signal),
    account: (login, signal) => account(queries.account, login.toLowerCase(), signal),
    accountOfId: (id, signal) => account(queries.accountOfId, id, signal),
  };
}

const TIMEOUT_MS = 3_000;

function repositorySql(condition: string): string {
  return `
    SELECT r.repo_id, r.repo_name, r.owner_id, r.owner_login, r.owner_is_org, r.description, r.primary_language, r.license,
      r.stars, r.forks, r.created_at, r.updated_at, r.pushed_at, r.refreshed_at
    FROM github_repos r
    WHERE ${condition} AND r.is_deleted = 0
    ORDER BY ${BEST_OF_NAME}
    LIMIT 1`;
}

/** Every name is in the lowest tier. */
const OF_LOGIN = 'is_organization IN (0, 1) AND tier = 0 AND name = :p1';

/** Among accounts of one login, which one gave to the other, the one that was seen last has it. */
function accountSql(condition: string): string {
  return `
    SELECT id, login, type, name, organization, address, followers, followings, public_repos, created_at, refreshed_at
    FROM github_users
    WHERE ${condition} AND is_deleted = 0
    ORDER BY updated_at DESC, id
    LIMIT 1`;
}

type Row = Readonly<Record<string, Cell>>;

function toRepository(row: Row): RepositoryRecord {
  const fullName = String(row.repo_name);
  const isRefreshed = row.refreshed_at !== null;
  return {
    id: Number(row.repo_id),
    full_name: fullName,
    name: fullName.slice(fullName.indexOf('/') + 1),
    owner: {
      id: Number(row.owner_id) || null,
      login: String(row.owner_login),
      // That an owner is no organisation is known only of those that are known.
      type: row.owner_is_org === 1 ? 'Organization' : null,
      avatar_url: null,
    },
    description: text(row.description),
    language: text(row.primary_language),
    forks: isRefreshed || Number(row.forks) > 0 ? Number(row.forks) : null,
    stargazers_count: isRefreshed || Number(row.stars) > 0 ? Number(row.stars) : null,
    open_issues: null,
    subscribers_count: null,
    license: text(row.license),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    pushed_at: time(row.pushed_at),
  };
}

/**
 * Events tell of profiles, but never of when an account was made, nor of its counts: the platform tells all of these, a file
 * perhaps some.
 */
function toAccount(row: Row): AccountRecord {
  const count = (cell: Cell | undefined) => (row.created_at !== null || Number(cell) > 0 ? Number(cell) : null);
  return {
    id: Number(row.id),
    login: String(row.login),
    type: row.type === 'N/A' ? null : text(row.type),
    name: text(row.name),
    company: text(row.organization),
    location: text(row.address),
    avatar_url: null,
    followers: count(row.followers),
    following: count(row.followings),
    public_repos: count(row.public_repos),
    created_at: time(row.created_at),
  };
}

function time(cell: Cell | undefined): string | null {
  return typeof cell === 'string' ? isoTime(cell) : null;
}
