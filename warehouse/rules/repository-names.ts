import { DELETED_TIER } from './name-tiers.js';

/**
 * Returns a SELECT of `name` and `repo_id` for names, best match first. Repositories that currently have the name precede those that had it
 * earlier. Among these, repositories that are not deleted come first, then the most recently active ones. `isWanted` returns the condition
 * for a column with names in lower case.
 */
export function repositoriesByNameSql(isWanted: (column: string) => string): string {
  return `
    SELECT name, repo_id
    FROM (
      SELECT n.name, r.repo_id, 0 AS is_former, r.is_deleted, COALESCE(r.last_event_at, r.refreshed_at) AS used_at
      FROM mv_repo_names n
      JOIN github_repos r ON r.repo_id = n.repo_id
      WHERE n.tier IN (${DELETED_TIER}, 0) AND ${isWanted('n.name')}
      UNION ALL
      SELECT name, repo_id, 1, 0, last_used_at FROM repo_name_uses WHERE ${isWanted('name')}
    ) named
    ORDER BY is_former, is_deleted, used_at DESC, repo_id DESC`;
}
