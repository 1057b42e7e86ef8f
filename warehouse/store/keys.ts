import { MERGED_TABLES, NAME_TABLES, RECOMPUTED_TABLES } from '../tables/tables.js';

/**
 * Tables that DuckDB keeps without keys: the importer merges rows by key, so that a key is never there twice, and an index
 * over every row would cost more than all the rest of an import. Row order makes reading them fast (see `clustering.ts`).
 */
const UNKEYED_TABLES: ReadonlySet<string> = new Set([
  ...MERGED_TABLES.map((table) => table.name),
  ...RECOMPUTED_TABLES.map((table) => table.name),
  ...NAME_TABLES.map((table) => table.name),
  'mv_feed_gaps',
  'mv_trending_repos',
  'github_repos',
  'github_users',
  'repo_owners',
  'repo_name_uses',
  'repo_sources',
]);

/** The indexes that DuckDB has beside keys: repositories are looked up by name. */
const KEPT_INDEXES: ReadonlySet<string> = new Set(['github_repos.by_name', 'github_repos.by_name_lower']);

/** Which keys and indexes of the migrations DuckDB makes. */
export const KEYS = {
  keepKeys: (table: string) => !UNKEYED_TABLES.has(table),
  keepIndex: (table: string, index: string) => KEPT_INDEXES.has(`${table}.${index}`),
};
