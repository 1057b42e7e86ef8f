import type { Store, Tables } from '../store/store.js';
import { mergeStored } from './load.js';

/**
 * Merges the provisional repositories that an earlier version did not merge. This runs once per database, because
 * imports of this version merge them immediately. Each transaction merges some of the repositories; after an
 * interruption, the next call continues.
 */
export async function mergeProvisional(store: Store): Promise<void> {
  let last: string | undefined = MIN_ID;
  // Each repository is tried only once. Otherwise a repository that cannot be merged would cause an endless loop.
  while (last !== undefined) {
    const after: string = last;
    last = await store.write((tables) => mergeSome(tables, after));
  }
}

/** Merges the next repositories, with ids above `after`. Returns the last id; undefined if no repository is left. */
async function mergeSome(tables: Tables, after: string): Promise<string | undefined> {
  const done = await tables.rows('SELECT refreshed_at FROM table_refreshes WHERE name = :p1', [DONE]);
  if (done.length > 0) return undefined;
  const rows = await tables.rows(MERGEABLE, [after]);
  const ids = rows.map(([id]) => String(id));
  if (ids.length > 0) await mergeStored(tables, ids);
  else await tables.insertRows('table_refreshes', [[DONE, '1970-01-01 00:00:00']]);
  return ids.at(-1);
}

const DONE = 'provisional-repositories';
const MIN_ID = String(-(2n ** 63n));

const MERGEABLE = `
  SELECT s.repo_id
  FROM repo_sources s
  WHERE s.repo_id < 0 AND s.repo_id > :p1 AND s.target_id = s.repo_id AND LOWER(s.repo_name) IN (SELECT name FROM repo_name_uses)
  ORDER BY s.repo_id
  LIMIT 1000`;
