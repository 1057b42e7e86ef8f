import type { ClusteredTable } from '../schema/clustering.js';
import { type ComputedTable, type MergedTable, opensSql, type RecomputedTable } from '../schema/derived-table.js';
import { eventCoverage } from './event-coverage.js';
import { repoForks } from './repo-forks.js';
import { repoIssues } from './repo-issues.js';
import { repoNames } from './repo-names.js';
import { repoPeople } from './repo-people.js';
import { repoPullRequests } from './repo-pull-requests.js';
import { repoStars } from './repo-stars.js';
import { repoTotals } from './repo-totals.js';
import { userNames } from './user-names.js';

/**
 * The accounts that have opened pull requests in a repository, with the number of pull requests and the times of the first one and of the
 * first merge. A merged pull request belongs to the account that opened it. If its opening is missing in the data, it belongs to the
 * creator in the merge event.
 */
const repoPullRequestCreators: RecomputedTable = {
  name: 'mv_repo_pull_request_creators',
  columns: ['repo_id', 'user_id', 'prs', 'first_pr_opened_at', 'first_pr_merged_at'],
  key: 'repo_id',
  from: [repoPullRequests],
  select: (among) => `
    SELECT opened.repo_id, opened.user_id, opened.prs, opened.first_pr_opened_at, merged.first_pr_merged_at
    FROM (
      SELECT repo_id, user_id, COUNT(*) AS prs, MIN(opened_at) AS first_pr_opened_at
      FROM mv_repo_pull_requests
      WHERE ${opensSql('mv_repo_pull_requests', among)}
      GROUP BY repo_id, user_id
    ) opened
    LEFT JOIN (
      SELECT m.repo_id, COALESCE(o.user_id, m.creator_id) AS user_id, MIN(m.merged_at) AS first_pr_merged_at
      FROM (
        SELECT repo_id, number, MIN(merged_at) AS merged_at, MAX(creator_id) AS creator_id
        FROM mv_repo_pull_requests
        WHERE merged_at IS NOT NULL AND ${among}
        GROUP BY repo_id, number
      ) m
      LEFT JOIN (
        SELECT repo_id, number, user_id
        FROM mv_repo_pull_requests
        WHERE ${opensSql('mv_repo_pull_requests', among)}
      ) o ON o.repo_id = m.repo_id AND o.number = m.number
      GROUP BY m.repo_id, COALESCE(o.user_id, m.creator_id)
    ) merged ON merged.repo_id = opened.repo_id AND merged.user_id = opened.user_id`,
};

/** The times of the first and the last event of any type, by repository and login. */
const repoParticipants: MergedTable = {
  name: 'mv_repo_participants',
  keys: ['repo_id', 'user_login'],
  measures: { first_engagement_at: 'min', last_engagement_at: 'max' },
  select: (events) => `
    SELECT
      repo_id,
      actor_login AS user_login,
      MIN(created_at) AS first_engagement_at,
      MAX(created_at) AS last_engagement_at
    FROM ${events}
    WHERE repo_id <> 0 AND actor_login <> ''
    GROUP BY repo_id, actor_login`,
};

/** The accounts that have opened issues in a repository, with the number of issues and the time of the first one. */
const repoIssueCreators: RecomputedTable = {
  name: 'mv_repo_issue_creators',
  columns: ['repo_id', 'user_id', 'issues', 'first_issue_opened_at'],
  key: 'repo_id',
  from: [repoIssues],
  select: (among) => `
    SELECT repo_id, user_id, COUNT(*) AS issues, MIN(opened_at) AS first_issue_opened_at
    FROM mv_repo_issues
    WHERE ${opensSql('mv_repo_issues', among)}
    GROUP BY repo_id, user_id`,
};

/**
 * The number of actors by the day of their first event of a kind. The running totals of these numbers are the histories
 * of a repository.
 */
const repoDailyNewcomers: RecomputedTable = {
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

/** The number of events of any type, by day, repository and login. */
const repoDailyEngagements: MergedTable = {
  name: 'mv_repo_daily_engagements',
  keys: ['day', 'repo_id', 'user_login'],
  measures: { engagements: 'sum' },
  select: (events) => `
    SELECT event_day AS day, repo_id, actor_login AS user_login, COUNT(*) AS engagements
    FROM ${events}
    WHERE repo_id <> 0 AND actor_login <> ''
    GROUP BY event_day, repo_id, actor_login`,
};

/** The tables that are merged from events, in the order in which they are computed. */
export const MERGED_TABLES: readonly MergedTable[] = [
  repoIssues,
  repoPullRequests,
  repoStars,
  repoForks,
  repoDailyEngagements,
  repoParticipants,
  repoPeople,
  eventCoverage,
];

/** The tables that are computed from the merged tables, after the merged tables. */
export const RECOMPUTED_TABLES: readonly RecomputedTable[] = [
  repoIssueCreators,
  repoPullRequestCreators,
  repoDailyNewcomers,
  repoTotals,
];

/** The tables that are computed from repositories and accounts when their names, stars or followers change. */
export const NAME_TABLES: readonly ComputedTable[] = [repoNames, userNames];

/**
 * The tables that operations read by the first columns of their key. The tables of engagements and participants are omitted, because
 * operations do not read them by key.
 */
export const CLUSTERED_TABLES: readonly ClusteredTable[] = [
  ...[repoIssues, repoPullRequests, repoStars, repoPeople].map(({ name, keys }) => ({ name, order: keys })),
  ...RECOMPUTED_TABLES.map(({ name, columns }) => ({ name, order: columns.slice(0, 3) })),
  { name: repoNames.name, order: ['tier', 'name'] },
  { name: userNames.name, order: ['is_organization', 'tier', 'name'] },
  { name: 'github_users', order: ['id'] },
  { name: 'repo_name_uses', order: ['name'] },
  { name: 'user_name_uses', order: ['name'] },
];
