import type { ComputedTable } from '../schema/derived-table.js';
import { NAME_TIERS_SQL } from './name-tiers.js';

/**
 * For each repository that is not deleted, two rows per tier (see `NAME_TIERS`). A search finds the repository by `name`, in lower case:
 * one row has `owner/name`, the other only the name.
 */
export const repoNames: ComputedTable = {
  name: 'mv_repo_names',
  columns: ['tier', 'name', 'repo_id', 'repo_name', 'stars'],
  key: 'repo_id',
  select: (among) => `
    SELECT t.tier, n.name, n.repo_id, n.repo_name, n.stars
    FROM (
      SELECT repo_name_lower AS name, repo_id, repo_name, stars
      FROM github_repos WHERE is_deleted = 0 AND ${among}
      UNION
      SELECT SUBSTRING(repo_name_lower, POSITION('/' IN repo_name_lower) + 1), repo_id, repo_name, stars
      FROM github_repos WHERE is_deleted = 0 AND ${among}
    ) n
    JOIN ${NAME_TIERS_SQL} t ON n.stars >= t.tier
    WHERE n.name <> ''
    ORDER BY t.tier, n.name, n.repo_id`,
};
