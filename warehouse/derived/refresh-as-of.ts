import { createHash } from 'node:crypto';
import { type Database, sqlTime } from '../../engine/index.js';
import type { Store, Tables } from '../store/store.js';
import { refreshShares, SHARE_RULES } from './event-shares.js';
import { refreshTrends, TREND_RULES } from './trending-repos.js';

/**
 * Computes the data that are too expensive to compute in each import, or also depend on the current time: trending repositories, the
 * monthly ranks of collection items, and the shares of the events.
 */
export async function refreshAsOf(store: Store, now: Date): Promise<void> {
  const time = sqlTime(now);
  await store.write(refreshShares);
  await store.write(async (tables) => {
    await refreshTrends(tables, time);
    await updateRanks(tables, 'last_month_rank', 1, time);
    await updateRanks(tables, 'last_2nd_month_rank', 2, time);
    await tables.run('DELETE FROM table_refreshes WHERE name = :p1 OR name = :p2', [REFRESH, CURRENT]);
    await tables.insertRows('table_refreshes', [
      [REFRESH, time],
      [CURRENT, time],
    ]);
  });
}

/**
 * Runs `refreshAsOf` after an import with `newEvents` new events. After an import without new events, it only runs if an earlier import was
 * interrupted before its refresh, because it may take half a minute. Resolves to whether it ran.
 */
export async function refreshAfterImport(store: Store, newEvents: number, now: Date): Promise<boolean> {
  if (newEvents === 0 && !(await isBehind(store))) return false;
  await refreshAsOf(store, now);
  return true;
}

/**
 * Stores that the result of the last `refreshAsOf` is outdated. Every transaction that changes a table that `refreshAsOf` reads must call
 * this function, so that the next start of a service refreshes immediately.
 */
export async function markOutdated(tables: Pick<Tables, 'run'>): Promise<void> {
  await tables.run('DELETE FROM table_refreshes WHERE name = :p1', [CURRENT]);
}

/**
 * Returns the milliseconds from the last `refreshAsOf` to `now`. Returns undefined if a new refresh is needed: it never ran, its time is
 * after `now`, another version of this program ran it, or the tables that it reads have changed since then.
 */
export async function ageOfRefresh(database: Database, now: Date): Promise<number | undefined> {
  const query = database.prepare('SELECT refreshed_at FROM table_refreshes WHERE name = :p1');
  const { rows } = await database.query(query, [CURRENT], { maxRows: 1, timeoutMs: READ_MS });
  const ageMs = now.getTime() - Date.parse(`${rows[0]?.[0]}Z`);
  return ageMs >= 0 ? ageMs : undefined;
}

const READ_MS = 5_000;

/** The name of the row in table_refreshes with the time of the last refresh. */
const REFRESH = 'as-of';

/** The name of a second row, which exists while the result was computed by this program version and from the current tables. */
const CURRENT = `as-of ${createHash('sha256')
  .update([...TREND_RULES, monthRankSql(1), monthRankSql(2), ...SHARE_RULES].join(''))
  .digest('hex')
  .slice(0, 16)}`;

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

/**
 * Returns a SELECT of the ranks of collection items by their stars in one calendar month. Until the day of the newest request to GitHub,
 * these are the stars that GitHub counts. After that day, or without counts, they are the distinct people in the events. Ties are broken by
 * the total number of stars, then by the current name, then by id. An item without a star in the month has no row. `back` is the number of
 * months before the month of `:p1`.
 */
function monthRankSql(back: 1 | 2): string {
  const firstDay = `DATE_ADD(LAST_DAY(DATE_SUB(DATE(:p1), INTERVAL ${back + 1} MONTH)), INTERVAL 1 DAY)`;
  const lastDay = `LAST_DAY(DATE_SUB(DATE(:p1), INTERVAL ${back} MONTH))`;
  return `
    SELECT
      i.id,
      ROW_NUMBER() OVER (
        PARTITION BY i.collection_id ORDER BY s.stars DESC, COALESCE(t.counted_stars, t.stars, 0) DESC, r.repo_name, i.repo_id, i.id
      ) AS month_rank
    FROM collection_items i
    JOIN (
      SELECT repo_id, SUM(stars) AS stars
      FROM (
        SELECT s.repo_id, COUNT(DISTINCT s.user_id) AS stars
        FROM mv_repo_stars s
        LEFT JOIN github_star_histories h ON h.repo_id = s.repo_id
        WHERE s.day BETWEEN ${firstDay} AND ${lastDay} AND s.repo_id IN (SELECT repo_id FROM collection_items)
          AND (h.repo_id IS NULL OR s.day > h.counted_on)
        GROUP BY s.repo_id
        UNION ALL
        SELECT g.repo_id, SUM(g.stars)
        FROM github_star_histories h
        JOIN github_star_days g ON g.repo_id = h.repo_id AND g.day <= h.counted_on
        WHERE g.day BETWEEN ${firstDay} AND ${lastDay} AND h.repo_id IN (SELECT repo_id FROM collection_items)
        GROUP BY g.repo_id
      ) sources
      GROUP BY repo_id
    ) s ON s.repo_id = i.repo_id
    JOIN github_repos r ON r.repo_id = i.repo_id
    LEFT JOIN mv_repo_totals t ON t.repo_id = i.repo_id`;
}
