import type { BoundValue, Cell, Database, PreparedQuery } from '../../engine/index.js';
import { repositoriesByNameSql } from '../../warehouse/rules/repository-names.js';
import { isoTime } from '../../warehouse/rules/times.js';
import { licenseOf, readText } from './github-records.js';
import type { AccountRecord, RepositoryRecord } from './records.js';

/**
 * A record from the tables, and the time at which it was last fetched from GitHub. The time is null if the record is only known from
 * events.
 */
export interface Stored<Record> {
  readonly record: Record;
  readonly refreshedAt: string | null;
}

/** Reads records from the tables. Returns undefined for records that are missing or that were deleted on GitHub. */
export interface StoredRecords {
  repository(owner: string, name: string, signal?: AbortSignal): Promise<Stored<RepositoryRecord> | undefined>;
  repositoryOfId(id: number, signal?: AbortSignal): Promise<Stored<RepositoryRecord> | undefined>;
  account(login: string, signal?: AbortSignal): Promise<Stored<AccountRecord> | undefined>;
  accountOfId(id: number, signal?: AbortSignal): Promise<Stored<AccountRecord> | undefined>;
}

export function createStoredRecords(database: Database): StoredRecords {
  const queries = {
    repository: database.prepare(repositorySql(`(SELECT named.repo_id FROM (${OF_NAME} LIMIT 1) named)`)),
    repositoryOfId: database.prepare(repositorySql(':p1')),
    account: database.prepare(accountSql(`id IN (SELECT id FROM mv_user_names WHERE ${OF_LOGIN})`)),
    accountOfId: database.prepare(accountSql('id = :p1')),
  };
  const readFirstRow = async (query: PreparedQuery, value: BoundValue, signal?: AbortSignal) => {
    const options = { maxRows: 1, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) };
    const { columns, rows } = await database.query(query, [value], options);
    const [row] = rows;
    return row && Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
  };
  const readRepository = async (query: PreparedQuery, value: BoundValue, signal?: AbortSignal) => {
    const row = await readFirstRow(query, value, signal);
    return row && { record: toRepository(row), refreshedAt: formatTime(row.refreshed_at) };
  };
  const readAccount = async (query: PreparedQuery, value: BoundValue, signal?: AbortSignal) => {
    const row = await readFirstRow(query, value, signal);
    return row && { record: toAccount(row), refreshedAt: formatTime(row.refreshed_at) };
  };
  return {
    repository: (owner, name, signal) => readRepository(queries.repository, `${owner}/${name}`.toLowerCase(), signal),
    repositoryOfId: (id, signal) => readRepository(queries.repositoryOfId, id, signal),
    account: (login, signal) => readAccount(queries.account, login.toLowerCase(), signal),
    accountOfId: (id, signal) => readAccount(queries.accountOfId, id, signal),
  };
}

const TIMEOUT_MS = 3_000;

const OF_NAME = repositoriesByNameSql((column) => `${column} = :p1`);

function repositorySql(id: string): string {
  return `
    SELECT r.repo_id, r.repo_name, r.owner_id, r.owner_login, r.owner_is_org, r.description, r.primary_language, r.license,
      r.stars, r.forks, r.created_at, r.updated_at, r.pushed_at, r.refreshed_at
    FROM github_repos r
    WHERE r.repo_id = ${id} AND r.is_deleted = 0`;
}

/** A condition on mv_user_names that finds an account by login. Tier 0 contains every name. */
const OF_LOGIN = 'is_organization IN (0, 1) AND tier = 0 AND name = :p1';

/**
 * Returns the SQL for an account by login. After a rename, two accounts in the tables can have the same login; then the account that was
 * updated last is returned.
 */
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
      // 0 can also mean that the type of the owner is unknown, so it becomes null.
      type: row.owner_is_org === 1 ? 'Organization' : null,
      avatar_url: null,
    },
    description: readText(row.description),
    language: readText(row.primary_language),
    forks: isRefreshed || Number(row.forks) > 0 ? Number(row.forks) : null,
    stargazers_count: isRefreshed || Number(row.stars) > 0 ? Number(row.stars) : null,
    open_issues: null,
    subscribers_count: null,
    license: licenseOf(readText(row.license)),
    created_at: formatTime(row.created_at),
    updated_at: formatTime(row.updated_at),
    pushed_at: formatTime(row.pushed_at),
    html_url: `${GITHUB}${fullName}`,
  };
}

/** All repositories in the tables are on github.com. */
const GITHUB = 'https://github.com/';

/**
 * Converts a row. Events do not contain the creation time and the counts of an account. The creation time and the counts are only known if
 * they were fetched from GitHub or loaded from an enrichment file.
 */
function toAccount(row: Row): AccountRecord {
  const count = (cell: Cell | undefined) => (row.created_at !== null || Number(cell) > 0 ? Number(cell) : null);
  const login = String(row.login);
  return {
    id: Number(row.id),
    login,
    type: row.type === 'N/A' ? null : readText(row.type),
    name: readText(row.name),
    company: readText(row.organization),
    location: readText(row.address),
    avatar_url: null,
    followers: count(row.followers),
    following: count(row.followings),
    public_repos: count(row.public_repos),
    created_at: formatTime(row.created_at),
    html_url: `${GITHUB}${login.replace(APP, 'apps/$1')}`,
  };
}

/** Matches the login of an app. The URL of an app's page on GitHub differs from that of an account. */
const APP = /^(.*)\[bot\]$/;

function formatTime(cell: Cell | undefined): string | null {
  return typeof cell === 'string' ? isoTime(cell) : null;
}
