import { sqlTime } from '../../engine/index.js';
import type { Store, Tables } from '../store/store.js';
import { monthRankSql } from './collection-ranks.js';
import { TRENDING_COLUMNS, TRENDING_PERIODS, trendingSql } from './trending-repos.js';

/** Computes what depends on the time of day as well as on the events: trending repositories and month ranks. */
export async function refreshAsOf(store: Store, now: Date): Promise<void> {
  const time = sqlTime(now);
  await store.write(async (tables) => {
    await tables.run('DELETE FROM mv_trending_repos');
    for (const period of TRENDING_PERIODS) {
      await tables.insert('mv_trending_repos', TRENDING_COLUMNS, trendingSql(period), [time]);
    }
    await rank(tables, 'last_month_rank', 1, time);
    await rank(tables, 'last_2nd_month_rank', 2, time);
  });
}

async function rank(tables: Tables, column: string, back: 1 | 2, time: string): Promise<void> {
  await tables.run(`UPDATE collection_items SET ${column} = NULL WHERE ${column} IS NOT NULL`);
  const ranks = await tables.rows(monthRankSql(back), [time]);
  if (ranks.length === 0) return;
  const cases = ranks.map(([id, place]) => `WHEN ${id} THEN ${place}`).join(' ');
  const ids = ranks.map(([id]) => id).join(', ');
  await tables.run(`UPDATE collection_items SET ${column} = CASE id ${cases} END WHERE id IN (${ids})`);
}
