import type { Database, TableMeaning, TableMeanings } from '../engine/index.js';
import { PRIVATE_DATA } from './rules/private-data.js';
import { TABLE_REFERENCE } from './table-reference.js';
import { MERGED_TABLES, RECOMPUTED_TABLES } from './tables/tables.js';

/**
 * Reads the tables of a database, also those of other programs, with the meaning of the tables of this program. Private tables and
 * columns are missing.
 */
export async function readTableMeanings(database: Database, signal?: AbortSignal): Promise<TableMeanings> {
  const schema = database.name === 'duckdb' ? "'main'" : 'DATABASE()';
  const sql = `
    SELECT table_name, column_name, ${database.name === 'duckdb' ? 'data_type' : 'column_type'}, is_nullable
    FROM information_schema.columns WHERE table_schema = ${schema} ORDER BY table_name, ordinal_position`;
  const { rows } = await database.query({ sql }, [], {
    maxRows: MAX_COLUMNS,
    timeoutMs: 10_000,
    ...(signal && { signal }),
  });
  const tables = new Map<string, Map<string, readonly [type: string, isNotNull: boolean]>>();
  for (const [table, column, type, isNullable] of rows) {
    const [name, columnName] = [String(table).toLowerCase(), String(column).toLowerCase()];
    if (PRIVATE_DATA.isPrivateTable(name) || PRIVATE_DATA.columns[name]?.includes(columnName)) continue;
    const columns = tables.get(name) ?? new Map();
    tables.set(name, columns.set(columnName, [String(type).toUpperCase(), isNullable === 'NO']));
  }
  return new Map([...tables].map(([name, columns]) => [name, createMeaning(name, columns)]));
}

/** Returns the tables of the reference without a database: it is unknown which columns can be NULL. */
export function referenceMeanings(): TableMeanings {
  const meanings = [...TABLE_REFERENCE].map(([name, { columns }]) => {
    const found = [...columns].map(([column, { type }]) => [column, [type, false]] as const);
    return [name, createMeaning(name, new Map(found))] as const;
  });
  return new Map(meanings);
}

const MAX_COLUMNS = 100_000;

function createMeaning(
  name: string,
  found: ReadonlyMap<string, readonly [type: string, isNotNull: boolean]>,
): TableMeaning {
  const reference = TABLE_REFERENCE.get(name);
  const columns = [...found].map(([column, [type, isNotNull]]) => {
    const known = reference?.columns.get(column);
    const described = { type: known?.type ?? type, ...(known && { description: known.description }) };
    return [column, { ...described, isNotNull }] as const;
  });
  const dataAsOf = reference === undefined ? undefined : newestEvent(name);
  return {
    words: name.replace(/^(mv|github)_/, '').replaceAll('_', ' '),
    ...(reference && { description: reference.description }),
    columns: new Map(columns),
    order: orderOf(
      name,
      columns.map(([column]) => column),
    ),
    ...(dataAsOf !== undefined && { dataAsOf }),
  };
}

/** The types of the events from which the rows of a table come, for tables whose rows come from one type. */
const EVENT_TYPES: Readonly<Record<string, string>> = {
  mv_repo_stars: 'WatchEvent',
  mv_trending_repos: 'WatchEvent',
  mv_repo_forks: 'ForkEvent',
  mv_repo_issues: 'IssuesEvent',
  mv_repo_issue_creators: 'IssuesEvent',
  mv_repo_pull_requests: 'PullRequestEvent',
  mv_repo_pull_request_creators: 'PullRequestEvent',
};

/** Returns the SELECT of the newest event that the rows of a table contain. The calendar contains no events. */
function newestEvent(table: string): string | undefined {
  if (table === 'calendar_days') return undefined;
  const type = EVENT_TYPES[table];
  return `SELECT MAX(newest_at) FROM mv_event_coverage${type === undefined ? '' : ` WHERE type = '${type}'`}`;
}

/** The keys of tables that are not derived. Events have no key: equal rows in this order are the same event. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  github_events: ['created_at', 'id', 'type', 'repo_id', 'actor_id'],
  github_repos: ['repo_id'],
  github_users: ['id'],
  collections: ['id'],
  collection_items: ['id'],
  calendar_days: ['day'],
};

function orderOf(table: string, columns: readonly string[]): readonly string[] {
  const merged = MERGED_TABLES.find(({ name }) => name === table)?.keys;
  const computed = RECOMPUTED_TABLES.find(({ name }) => name === table)?.columns.slice(0, 3);
  return KEYS[table] ?? merged ?? computed ?? columns;
}
