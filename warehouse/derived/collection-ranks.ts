/**
 * Returns a SELECT of the ranks of collection items by the number of distinct star actors in one calendar month. Ties
 * are broken by the total number of stars, then by the current name, then by id. An item without a star in the month
 * has no row. `back` is the number of months before the month of `:p1`.
 */
export function monthRankSql(back: 1 | 2): string {
  const firstDay = `DATE_ADD(LAST_DAY(DATE_SUB(DATE(:p1), INTERVAL ${back + 1} MONTH)), INTERVAL 1 DAY)`;
  const lastDay = `LAST_DAY(DATE_SUB(DATE(:p1), INTERVAL ${back} MONTH))`;
  return `
    SELECT
      i.id,
      ROW_NUMBER() OVER (
        PARTITION BY i.collection_id ORDER BY s.stars DESC, COALESCE(t.stars, 0) DESC, r.repo_name, i.repo_id, i.id
      ) AS month_rank
    FROM collection_items i
    JOIN (
      SELECT repo_id, COUNT(DISTINCT user_id) AS stars
      FROM mv_repo_stars
      WHERE day BETWEEN ${firstDay} AND ${lastDay} AND repo_id IN (SELECT repo_id FROM collection_items)
      GROUP BY repo_id
    ) s ON s.repo_id = i.repo_id
    JOIN github_repos r ON r.repo_id = i.repo_id
    LEFT JOIN mv_repo_totals t ON t.repo_id = i.repo_id`;
}
