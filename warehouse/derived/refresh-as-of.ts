import { sqlTime } from '../../engine/index.js';
import type { Store, Tables } from '../store/store.js';
import { monthRankSql } from './collection-ranks.js';
import { TRENDING_COLUMNS, TRENDING_PERIODS, trendingSql } from './trending-repos.js';

/** Computes the data that also depend on the current time: trending repositories and the monthly ranks of collection items. */
export async function refreshAsOf(store: Store, now: Date): Promise<void> {
  const time = sqlTime(now);
  await store.write(async (tables) => {
    await tables.run('DELETE FROM mv_trending_repos');
    for (const period of TRENDING_PERIODS) {
      await tables.insert('mv_trending_repos', TRENDING_COLUMNS, trendingSql(period), [time]);
    }
    await updateRanks(tables, 'last_month_rank', 1, time);
    await updateRanks(tables, 'last_2nd_month_rank', 2, time);
    await tables.run('DELETE FROM table_refreshes WHERE name = :p1', [REFRESH]);
    await tables.insertRows('table_refreshes', [[REFRESH, time]]);
  });
}

/**
 * Runs `refreshAsOf` after an import with `newEvents` new events. The refresh may take half a minute. So after an
 * import without new events, it runs only if an earlier import was interrupted before its refresh. Resolves to whether
 * it ran.
 */
export async function refreshAfterImport(store: Store, newEvents: number, now: Date): Promise<boolean> {
  if (newEvents === 0 && !(await isBehind(store))) return false;
  await refreshAsOf(store, now);
  return true;
}

/** The name of this refresh in table_refreshes. */
const REFRESH = 'as-of';

/** Whether a file was imported after the last refresh. */
async function isBehind(store: Store): Promise<boolean> {
  const [[imported = null, computed = null] = []] = await store.write((tables) =>
    tables.rows(
      'SELECT (SELECT MAX(imported_at) FROM import_files), (SELECT refreshed_at FROM table_refreshes WHERE name = :p1)',
      [REFRESH],
    ),
  );
  return imported !== null && (computed === null || String(imported) > String(computed));
}

async function updateRanks(tables: Tables, column: string, back: 1 | 2, time: string): Promise<void> {
  await tables.run(`UPDATE collection_items SET ${column} = NULL WHERE ${column} IS NOT NULL`);
  const ranks = await tables.rows(monthRankSql(back), [time]);
  if (ranks.length === 0) return;
  const cases = ranks.map(([id, place]) => `WHEN ${id} THEN ${place}`).join(' ');
  const ids = ranks.map(([id]) => id).join(', ');
  await tables.run(`UPDATE collection_items SET ${column} = CASE id ${cases} END WHERE id IN (${ids})`);
}
