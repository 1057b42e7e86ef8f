/**
 * Returns a SELECT of the ranks of collection items by the stars of one calendar month: those that GitHub counts, until the day of the
 * newest request, and after it, or without counts, the distinct people in the events. Ties are broken by the total number of stars,
 * then by the current name, then by id. An item without a star in the month has no row. `back` is the number of months before the
 * month of `:p1`.
 */
export function monthRankSql(back: 1 | 2): string {
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
