import { markOutdated } from '../../warehouse/derived/refresh-as-of.js';
import type { Tables } from '../../warehouse/store/store.js';
import { repoTotals } from '../../warehouse/tables/repo-totals.js';

/**
 * Records the sum of the days of a complete history, and after its last page, that all days until the day of the last success of page 1
 * are stored. While a whole history is read again, the days after the previous end are not part of it.
 */
export async function recordHistory(
  tables: Tables,
  id: number,
  { nextPage, checkedAt = '' }: { readonly nextPage: number; readonly checkedAt: string | undefined },
): Promise<void> {
  const [stored] = await tables.rows('SELECT counted_on, stars FROM github_star_histories WHERE repo_id = :p1', [id]);
  if (stored === undefined && nextPage > 1) return;
  const day = nextPage > 1 ? String(stored?.[0]) : checkedAt.slice(0, 10);
  const [[sum = null] = []] = await tables.rows(
    'SELECT SUM(stars) FROM github_star_days WHERE repo_id = :p1 AND day <= :p2',
    [id, day],
  );
  const stars = Number(sum ?? 0);
  if (stored !== undefined && String(stored[0]) === day && Number(stored[1]) === stars) return;
  await tables.run('DELETE FROM github_star_histories WHERE repo_id = :p1', [id]);
  await tables.insertRows('github_star_histories', [[id, day, stars]]);
  await refreshCounted(tables, id);
}

/** Removes a history, so that answers have the people in the events again. The days stay. */
export async function removeHistory(tables: Tables, id: number): Promise<void> {
  await tables.run('DELETE FROM github_star_histories WHERE repo_id = :p1', [id]);
  await refreshCounted(tables, id);
}

async function refreshCounted(tables: Tables, id: number): Promise<void> {
  await tables.recompute(repoTotals, `SELECT ${id}::BIGINT`);
  await markOutdated(tables);
}
