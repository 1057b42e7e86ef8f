import { markOutdated } from '../../warehouse/derived/refresh-as-of.js';
import type { Tables } from '../../warehouse/store/store.js';
import { repoTotals } from '../../warehouse/tables/tables.js';
import { idsOf, type SourcePage, selectIds } from './source.js';

/**
 * Records the total stars of complete histories and their last complete day. After the last page of a history, this is the day of the last
 * successful request of page 1. While a whole history is read again, it stays the previous day, and later days are not included in the
 * total.
 */
export async function recordHistories(tables: Tables, histories: readonly SourcePage<unknown>[]): Promise<void> {
  const rows = await tables.rows(
    `SELECT repo_id, counted_on, stars FROM github_star_histories WHERE repo_id IN (${idsOf(histories)})`,
  );
  const stored = new Map(rows.map(([id, day, stars]) => [Number(id), { day: String(day), stars: Number(stars) }]));
  const days = new Map(
    histories.flatMap(({ repoId, after: { nextPage, checkedAt = '' } }) => {
      const day = nextPage > 1 ? stored.get(repoId)?.day : checkedAt.slice(0, 10);
      return day === undefined ? [] : [[repoId, day] as const];
    }),
  );
  if (days.size === 0) return;
  const ranges = [...days].map(([id, day]) => `(repo_id = ${id} AND day <= '${day}')`).join(' OR ');
  const sums = await tables.rows(
    `SELECT repo_id, SUM(stars) AS stars FROM github_star_days WHERE ${ranges} GROUP BY repo_id`,
  );
  const sumOf = new Map(sums.map(([id, stars]) => [Number(id), Number(stars)]));
  const changed = [...days].flatMap(([id, day]): [number, string, number][] => {
    const stars = sumOf.get(id) ?? 0;
    const before = stored.get(id);
    return before?.day === day && before.stars === stars ? [] : [[id, day, stars]];
  });
  if (changed.length === 0) return;
  const changedIds = changed.map(([id]) => id);
  await tables.run(`DELETE FROM github_star_histories WHERE repo_id IN (${changedIds.join(', ')})`);
  await tables.insertRows('github_star_histories', changed);
  await refreshCounted(tables, changedIds);
}

/** Removes a history, so that answers use the people in the events again. The rows of the days are kept. */
export async function removeHistory(tables: Tables, id: number): Promise<void> {
  await tables.run('DELETE FROM github_star_histories WHERE repo_id = :p1', [id]);
  await refreshCounted(tables, [id]);
}

async function refreshCounted(tables: Tables, ids: readonly number[]): Promise<void> {
  await tables.recompute(repoTotals, selectIds(ids));
  await markOutdated(tables);
}
