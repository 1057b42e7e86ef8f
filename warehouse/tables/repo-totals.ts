import type { RecomputedTable } from '../schema/derived-table.js';
import { repoForks } from './repo-forks.js';
import { repoIssues } from './repo-issues.js';
import { repoPullRequests } from './repo-pull-requests.js';
import { repoStars } from './repo-stars.js';

/**
 * The numbers of distinct issues, pull requests, star actors and fork actors of a repository. Also the numbers of issues and pull requests
 * without a known creator, because the opening is missing in the data or has no actor, and the number of people that are known only by
 * login. `counted_stars` is the number of stars that GitHub counts until the day of the newest request, plus the newcomers in the events on
 * later days. The number is NULL if the star history from GitHub is not complete.
 */
export const repoTotals: RecomputedTable = {
  name: 'mv_repo_totals',
  columns: [
    'repo_id',
    'issues',
    'pull_requests',
    'stars',
    'forks',
    'issues_without_creator',
    'pull_requests_without_creator',
    'people_without_id',
    'counted_stars',
  ],
  key: 'repo_id',
  from: [repoIssues, repoPullRequests, repoStars, repoForks],
  select: (among) => `
    SELECT
      repo_id,
      COUNT(DISTINCT issue) AS issues,
      COUNT(DISTINCT CASE WHEN has_event = 1 THEN pull_request END) AS pull_requests,
      COUNT(DISTINCT stargazer) AS stars,
      COUNT(DISTINCT forker) AS forks,
      COUNT(DISTINCT issue) - COUNT(DISTINCT CASE WHEN has_creator = 1 THEN issue END) AS issues_without_creator,
      COUNT(DISTINCT pull_request) - COUNT(DISTINCT CASE WHEN has_creator = 1 THEN pull_request END)
        AS pull_requests_without_creator,
      COUNT(DISTINCT CASE WHEN person < 0 THEN person END) AS people_without_id,
      MAX(counted) AS counted_stars
    FROM (
      SELECT repo_id, number AS issue, NULL AS pull_request, NULL AS stargazer, NULL AS forker, 1 AS has_event,
        CASE WHEN opened_at IS NOT NULL AND user_id <> 0 THEN 1 ELSE 0 END AS has_creator, user_id AS person, NULL AS counted
      FROM mv_repo_issues WHERE ${among}
      UNION ALL
      SELECT repo_id, NULL, number, NULL, NULL, has_event,
        CASE WHEN opened_at IS NOT NULL AND user_id <> 0 THEN 1 ELSE 0 END, user_id, NULL
      FROM mv_repo_pull_requests WHERE ${among}
      UNION ALL
      SELECT repo_id, NULL, NULL, user_id, NULL, 0, 0, user_id, NULL FROM mv_repo_stars WHERE ${among}
      UNION ALL
      SELECT repo_id, NULL, NULL, NULL, user_id, 0, 0, user_id, NULL FROM mv_repo_forks WHERE ${among}
      UNION ALL
      SELECT h.repo_id, NULL, NULL, NULL, NULL, 0, 0, 0, h.stars + COALESCE(SUM(n.newcomers), 0)
      FROM (SELECT repo_id, counted_on, stars FROM github_star_histories WHERE ${among}) h
      LEFT JOIN (
        SELECT repo_id, day, newcomers FROM mv_repo_daily_newcomers WHERE kind = 'stargazers' AND ${among}
      ) n ON n.repo_id = h.repo_id AND n.day > h.counted_on
      GROUP BY h.repo_id, h.stars
    ) counted
    GROUP BY repo_id`,
};
