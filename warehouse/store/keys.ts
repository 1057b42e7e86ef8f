import { MERGED_TABLES, NAME_TABLES, RECOMPUTED_TABLES } from '../tables/tables.js';

/**
 * Tables that have no keys in DuckDB. The import merges rows by key, so each key is stored only once. An index over all
 * rows would cost more than the rest of an import. Reads are fast because the rows are sorted (see `clustering.ts`).
 */
const UNKEYED_TABLES: ReadonlySet<string> = new Set([
  ...MERGED_TABLES.map((table) => table.name),
  ...RECOMPUTED_TABLES.map((table) => table.name),
  ...NAME_TABLES.map((table) => table.name),
  'mv_event_shares',
  'mv_feed_gaps',
  'mv_trending_repos',
  'github_repos',
  'github_users',
  'repo_feed_events',
  'repo_owners',
  'repo_name_uses',
  'repo_sources',
  'user_name_uses',
  'user_sources',
]);

/** The indexes that DuckDB keeps: queries look up repositories by name. */
const KEPT_INDEXES: ReadonlySet<string> = new Set(['github_repos.by_name', 'github_repos.by_name_lower']);

/** The keys and indexes of the migrations that DuckDB creates. */
export const KEYS = {
  keepKeys: (table: string) => !UNKEYED_TABLES.has(table),
  keepIndex: (table: string, index: string) => KEPT_INDEXES.has(`${table}.${index}`),
};
