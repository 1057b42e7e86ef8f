import type { Store, Tables } from '../store/store.js';
import { mergeStored } from './load.js';

/**
 * Merges the provisional repositories that an earlier version left apart. Once in the life of the tables, because imports of this
 * version do so themselves. Some repositories a transaction; killed at any moment, it goes on with the rest.
 */
export async function mergeProvisional(store: Store): Promise<void> {
  while (!(await store.write(mergeSome)));
}

/** Resolves to whether none are left. */
async function mergeSome(tables: Tables): Promise<boolean> {
  const done = await tables.rows('SELECT refreshed_at FROM table_refreshes WHERE name = :p1', [DONE]);
  if (done.length > 0) return true;
  const rows = await tables.rows(MERGEABLE);
  if (rows.length > 0) await mergeStored(tables, rows.flat().map(String));
  else await tables.insertRows('table_refreshes', [[DONE, '1970-01-01 00:00:00']]);
  return rows.length === 0;
}

const DONE = 'provisional-repositories';

const MERGEABLE = `
  SELECT s.repo_id
  FROM repo_sources s
  WHERE s.repo_id < 0 AND s.target_id = s.repo_id AND LOWER(s.repo_name) IN (SELECT name FROM repo_name_uses)
  ORDER BY s.repo_id
  LIMIT 1000`;
