import { opensSql, type RecomputedTable } from '../schema/derived-table.js';
import { repoIssues } from './repo-issues.js';
import { repoPullRequests } from './repo-pull-requests.js';
import { repoStars } from './repo-stars.js';

/**
 * The number of actors by the day of their first event of a kind. The running totals of these numbers are the histories
 * of a repository.
 */
export const repoDailyNewcomers: RecomputedTable = {
  name: 'mv_repo_daily_newcomers',
  columns: ['repo_id', 'kind', 'day', 'newcomers'],
  key: 'repo_id',
  from: [repoIssues, repoPullRequests, repoStars],
  select: (among) => `
    SELECT repo_id, kind, day, COUNT(*) AS newcomers
    FROM (
      SELECT repo_id, 'issue_creators' AS kind, user_id, MIN(CAST(opened_at AS DATE)) AS day
      FROM mv_repo_issues
      WHERE ${opensSql('mv_repo_issues', among)}
      GROUP BY repo_id, user_id
      UNION ALL
      SELECT repo_id, 'pull_request_creators' AS kind, user_id, MIN(CAST(opened_at AS DATE)) AS day
      FROM mv_repo_pull_requests
      WHERE ${opensSql('mv_repo_pull_requests', among)}
      GROUP BY repo_id, user_id
      UNION ALL
      SELECT repo_id, 'stargazers' AS kind, user_id, MIN(day) AS day
      FROM mv_repo_stars
      WHERE ${among}
      GROUP BY repo_id, user_id
    ) firsts
    GROUP BY repo_id, kind, day`,
};
