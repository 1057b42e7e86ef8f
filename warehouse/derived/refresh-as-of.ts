import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import { translate } from '../../databases/duckdb/translate.js';
import { sqlTime } from '../../engine/index.js';
import { monthRankSql } from './collection-ranks.js';
import { TRENDING_PERIODS, trendingSql } from './trending-repos.js';

/** Computes what depends on the time of day as well as on the events: trending repositories and month ranks. */
export async function refreshAsOf(database: EmbeddedDatabase, now: Date): Promise<void> {
  const time = sqlTime(now);
  await database.write(async (connection) => {
    await connection.run('DELETE FROM mv_trending_repos');
    for (const period of TRENDING_PERIODS) {
      await connection.run(`INSERT INTO mv_trending_repos BY NAME ${timed(trendingSql(period))}`, [time]);
    }
    await rank(connection, 'last_month_rank', 1, time);
    await rank(connection, 'last_2nd_month_rank', 2, time);
  });
}

async function rank(connection: DuckDBConnection, column: string, back: 1 | 2, time: string): Promise<void> {
  await connection.run(`UPDATE collection_items SET ${column} = NULL WHERE ${column} IS NOT NULL`);
  await connection.run(
    `UPDATE collection_items SET ${column} = ranks.month_rank
     FROM (${timed(monthRankSql(back))}) ranks
     WHERE ranks.id = collection_items.id`,
    [time],
  );
}

/** The definitions bind the time as text, as endpoints do; this connection is told what the text is. */
function timed(sql: string): string {
  return translate(sql).replaceAll('$1', '$1::TIMESTAMP');
}
