/**
 * Returns a SELECT of `name` and `repo_id` for names, best match first. Repositories that currently have the name precede those that had it
 * earlier. Among these, repositories that are not deleted come first, then the most recently active ones. `isWanted` returns the condition
 * for a column with names in lower case. The query groups rows only because DuckDB would otherwise read the whole table instead of its
 * index.
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
