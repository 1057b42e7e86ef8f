import type { Store, Tables } from '../store/store.js';
import { mergeStored } from './load.js';
import { ACCOUNTS, type NamedKind, REPOSITORIES } from './staging/named-kind.js';

/**
 * Merges the provisional repositories and accounts that an earlier program version did not merge. The merge runs once per database, because
 * current imports merge them immediately. Each transaction merges a limited number of ids. After an interruption, the next call continues.
 */
export async function mergeProvisional(store: Store): Promise<void> {
  for (const kind of [REPOSITORIES, ACCOUNTS]) {
    let last: string | undefined = MIN_ID;
    // Each id is tried only once. Otherwise an id that cannot be merged would cause an endless loop.
    while (last !== undefined) {
      const after: string = last;
      last = await store.write((tables) => mergeSome(tables, kind, after, store.mergedIds));
    }
  }
}

/** Merges the next ids above `after`. Returns the last of these ids; undefined if none is left. */
async function mergeSome(tables: Tables, kind: NamedKind, after: string, limit: number): Promise<string | undefined> {
  const done = DONE[kind.prefix];
  const isDone = await tables.rows('SELECT refreshed_at FROM table_refreshes WHERE name = :p1', [done]);
  if (isDone.length > 0) return undefined;
  const rows = await tables.rows(mergeableSql(kind, limit), [after]);
  const ids = rows.map(([id]) => String(id));
  if (ids.length > 0) await mergeStored(tables, kind, ids);
  else await tables.insertRows('table_refreshes', [[done, '1970-01-01 00:00:00']]);
  return ids.at(-1);
}

/** The rows of table_refreshes that record that all ids were merged. */
const DONE = { repo: 'provisional-repositories', user: 'provisional-accounts' } as const;
const MIN_ID = String(-(2n ** 63n));

function mergeableSql({ sources: { table, key, name }, uses }: NamedKind, limit: number): string {
  return `
    SELECT s.${key}
    FROM ${table} s
    WHERE s.${key} < 0 AND s.${key} > :p1 AND s.target_id = s.${key} AND LOWER(s.${name}) IN (SELECT name FROM ${uses.name})
    ORDER BY s.${key}
    LIMIT ${limit}`;
}
