/**
 * A SELECT of `name` and `repo_id`, best first: the repositories that have a name now (first those that are not deleted, then the most
 * recently active ones), then those that had it before. `isWanted` returns the condition for a column with names in lower case. Each
 * group is one row: without the groups, DuckDB reads the whole table instead of its index.
 */
export function repositoriesByNameSql(isWanted: (column: string) => string): string {
  return `
    SELECT name, repo_id
    FROM (
      SELECT repo_name_lower AS name, repo_id, 0 AS is_former, MIN(is_deleted) AS is_deleted, MAX(COALESCE(last_event_at, refreshed_at)) AS used_at
      FROM github_repos
      WHERE ${isWanted('repo_name_lower')}
      GROUP BY repo_name_lower, repo_id
      UNION ALL
      SELECT name, repo_id, 1, 0, last_used_at FROM repo_name_uses WHERE ${isWanted('name')}
    ) named
    ORDER BY is_former, is_deleted, used_at DESC, repo_id DESC`;
}
