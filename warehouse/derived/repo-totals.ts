import type { RecomputedTable } from './derived-table.js';
import { repoForks } from './repo-forks.js';
import { repoIssues } from './repo-issues.js';
import { repoPullRequests } from './repo-pull-requests.js';
import { repoStars } from './repo-stars.js';

/** Distinct issue numbers, pull request numbers, star actors and fork actors of a repository. */
export const repoTotals: RecomputedTable = {
  name: 'mv_repo_totals',
  columns: ['repo_id', 'issues', 'pull_requests', 'stars', 'forks'],
  key: 'repo_id',
  from: [repoIssues, repoPullRequests, repoStars, repoForks],
  select: (among) => `
    SELECT
      repo_id,
      COUNT(DISTINCT issue) AS issues,
      COUNT(DISTINCT pull_request) AS pull_requests,
      COUNT(DISTINCT stargazer) AS stars,
      COUNT(DISTINCT forker) AS forks
    FROM (
      SELECT repo_id, number AS issue, NULL AS pull_request, NULL AS stargazer, NULL AS forker
      FROM mv_repo_issues WHERE ${among}
      UNION ALL
      SELECT repo_id, NULL, number, NULL, NULL FROM mv_repo_pull_requests WHERE ${among}
      UNION ALL
      SELECT repo_id, NULL, NULL, user_id, NULL FROM mv_repo_stars WHERE ${among}
      UNION ALL
      SELECT repo_id, NULL, NULL, NULL, user_id FROM mv_repo_forks WHERE ${among}
    ) counted
    GROUP BY repo_id`,
};
