import { ALL_TIERS_SQL, DELETED_TIER, NAME_TIERS_SQL } from '../rules/name-tiers.js';
import type { ClusteredTable } from '../schema/clustering.js';
import {
  type ComputedTable,
  inEventsSql,
  type MergedTable,
  NUMBER_OR_ID,
  opensSql,
  type RecomputedTable,
} from '../schema/derived-table.js';

/**
 * The issue numbers in all events. `user_id` is the account that opened the issue. `user_id` is 0 in the row for all other actions, and if
 * the opening has no actor. `in_events` is 0 if the opening is only in GitHub's list.
 */
export const repoIssues: MergedTable = {
  name: 'mv_repo_issues',
  keys: ['repo_id', 'number', 'user_id'],
  measures: { opened_at: 'min', in_events: 'max' },
  select: (events) => `
    SELECT
      repo_id,
      ${NUMBER_OR_ID} AS number,
      CASE WHEN action = 'opened' THEN COALESCE(actor_id, 0) ELSE 0 END AS user_id,
      MIN(CASE WHEN action = 'opened' THEN created_at END) AS opened_at,
      ${inEventsSql("action = 'opened'")} AS in_events
    FROM ${events}
    WHERE type = 'IssuesEvent' AND repo_id <> 0
    GROUP BY repo_id, ${NUMBER_OR_ID}, CASE WHEN action = 'opened' THEN COALESCE(actor_id, 0) ELSE 0 END`,
};

const IS_OPENING = "type = 'PullRequestEvent' AND action = 'opened'";
const REVIEWS = "('PullRequestReviewEvent', 'PullRequestReviewCommentEvent')";

/**
 * The pull request numbers in all events, like mv_repo_issues. `merged_at` is the time of the merge. `creator_id` is the creator in an
 * event of the merged pull request, or NULL if no event contains it. The merge may also come from a review event; then `has_event` is 0.
 */
export const repoPullRequests: MergedTable = {
  name: 'mv_repo_pull_requests',
  keys: ['repo_id', 'number', 'user_id'],
  measures: { opened_at: 'min', merged_at: 'min', creator_id: 'max', has_event: 'max', in_events: 'max' },
  select: (events) => `
    SELECT
      repo_id,
      ${NUMBER_OR_ID} AS number,
      CASE WHEN ${IS_OPENING} THEN COALESCE(actor_id, 0) ELSE 0 END AS user_id,
      MIN(CASE WHEN ${IS_OPENING} THEN created_at END) AS opened_at,
      MIN(CASE WHEN pr_merged = 1 THEN pr_merged_at END) AS merged_at,
      MAX(CASE WHEN pr_merged = 1 AND creator_user_id <> 0 THEN creator_user_id END) AS creator_id,
      MAX(CASE WHEN type = 'PullRequestEvent' THEN 1 ELSE 0 END) AS has_event,
      ${inEventsSql(IS_OPENING)} AS in_events
    FROM ${events}
    WHERE repo_id <> 0 AND (type = 'PullRequestEvent' OR (type IN ${REVIEWS} AND pr_merged = 1))
    GROUP BY repo_id, ${NUMBER_OR_ID}, CASE WHEN ${IS_OPENING} THEN COALESCE(actor_id, 0) ELSE 0 END`,
};

/** The days on which each actor has starred a repository. Events without an actor are omitted. */
const repoStars: MergedTable = {
  name: 'mv_repo_stars',
  keys: ['repo_id', 'user_id', 'day'],
  measures: {},
  select: (events) => `
    SELECT DISTINCT repo_id, actor_id AS user_id, event_day AS day
    FROM ${events}
    WHERE type = 'WatchEvent' AND action = 'started' AND repo_id <> 0 AND actor_id <> 0`,
};

/** The days on which each actor has forked a repository. Events without an actor are omitted. */
export const repoForks: MergedTable = {
  name: 'mv_repo_forks',
  keys: ['repo_id', 'user_id', 'day'],
  measures: {},
  select: (events) => `
    SELECT DISTINCT repo_id, actor_id AS user_id, event_day AS day
    FROM ${events}
    WHERE type = 'ForkEvent' AND repo_id <> 0 AND actor_id <> 0`,
};

const BITS = Array.from({ length: 24 }, (_, hour) => `WHEN ${hour} THEN ${2 ** hour}`).join(' ');

/** The coverage of the data: by type and day, the number of events, the time of the newest event, and the hours with events, as bits. */
export const eventCoverage: MergedTable = {
  name: 'mv_event_coverage',
  keys: ['type', 'day'],
  measures: { events: 'sum', newest_at: 'max', hours: 'bits' },
  // The hour is computed in the inner SELECT, so that it is computed once and not 24 times.
  select: (events) => `
    SELECT type, day, COUNT(*) AS events, MAX(created_at) AS newest_at, BIT_OR(CASE hour ${BITS} END) AS hours
    FROM (SELECT type, event_day AS day, created_at, HOUR(created_at) AS hour FROM ${events}) hours
    GROUP BY type, day`,
};

/** Whether one of the rows of an issue or pull request contains its opening with the account. */
const HAS_CREATOR = 'MAX(CASE WHEN opened_at IS NOT NULL AND user_id <> 0 THEN 1 ELSE 0 END)';

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
  // Each number and each person is grouped before it is counted: DuckDB keeps all values of COUNT(DISTINCT) in memory.
  select: (among) => `
    SELECT
      repo_id,
      SUM(issues) AS issues,
      SUM(pull_requests) AS pull_requests,
      SUM(stars) AS stars,
      SUM(forks) AS forks,
      SUM(issues_without_creator) AS issues_without_creator,
      SUM(pull_requests_without_creator) AS pull_requests_without_creator,
      SUM(people_without_id) AS people_without_id,
      MAX(counted_stars) AS counted_stars
    FROM (
      SELECT
        repo_id, COUNT(*) AS issues, 0 AS pull_requests, 0 AS stars, 0 AS forks, SUM(1 - has_creator) AS issues_without_creator,
        0 AS pull_requests_without_creator, 0 AS people_without_id, NULL AS counted_stars
      FROM (
        SELECT repo_id, number, ${HAS_CREATOR} AS has_creator FROM mv_repo_issues WHERE ${among} GROUP BY repo_id, number
      ) issues
      GROUP BY repo_id
      UNION ALL
      SELECT repo_id, 0, SUM(has_event), 0, 0, 0, SUM(1 - has_creator), 0, NULL
      FROM (
        SELECT repo_id, number, MAX(has_event) AS has_event, ${HAS_CREATOR} AS has_creator
        FROM mv_repo_pull_requests WHERE ${among} GROUP BY repo_id, number
      ) pull_requests
      GROUP BY repo_id
      UNION ALL
      SELECT repo_id, 0, 0, SUM(has_star), SUM(has_fork), 0, 0, SUM(CASE WHEN user_id < 0 THEN 1 ELSE 0 END), NULL
      FROM (
        SELECT repo_id, user_id, MAX(is_star) AS has_star, MAX(is_fork) AS has_fork
        FROM (
          SELECT repo_id, user_id, 1 AS is_star, 0 AS is_fork FROM mv_repo_stars WHERE ${among}
          UNION ALL
          SELECT repo_id, user_id, 0, 1 FROM mv_repo_forks WHERE ${among}
          UNION ALL
          SELECT repo_id, user_id, 0, 0 FROM mv_repo_issues WHERE user_id < 0 AND ${among}
          UNION ALL
          SELECT repo_id, user_id, 0, 0 FROM mv_repo_pull_requests WHERE user_id < 0 AND ${among}
        ) uses
        GROUP BY repo_id, user_id
      ) people
      GROUP BY repo_id
      UNION ALL
      SELECT h.repo_id, 0, 0, 0, 0, 0, 0, 0, h.stars + COALESCE(SUM(n.newcomers), 0)
      FROM (SELECT repo_id, counted_on, stars FROM github_star_histories WHERE ${among}) h
      LEFT JOIN (
        SELECT repo_id, day, newcomers FROM mv_repo_daily_newcomers WHERE kind = 'stargazers' AND ${among}
      ) n ON n.repo_id = h.repo_id AND n.day > h.counted_on
      GROUP BY h.repo_id, h.stars
    ) counted
    GROUP BY repo_id`,
};

/**
 * The accounts that have starred a repository or opened an issue or pull request in it, with columns of their profiles. Thanks to these
 * columns, a query for one repository need not scan all of github_users. The columns are NULL if github_users does not contain the account.
 */
export const repoPeople: MergedTable = {
  name: 'mv_repo_people',
  keys: ['repo_id', 'user_id'],
  measures: {
    login: 'stored',
    name: 'stored',
    is_bot: 'stored',
    organization_formatted: 'stored',
    country_code: 'stored',
  },
  select: (events) => `
    SELECT p.repo_id, p.user_id, u.login, u.name, u.is_bot, u.organization_formatted, u.country_code
    FROM (
      SELECT DISTINCT repo_id, actor_id AS user_id
      FROM ${events}
      WHERE repo_id <> 0 AND actor_id <> 0 AND (
        (type = 'WatchEvent' AND action = 'started')
        OR (type IN ('IssuesEvent', 'PullRequestEvent') AND action = 'opened')
      )
    ) p
    LEFT JOIN github_users u ON u.id = p.user_id`,
};

/**
 * For each repository, two rows per tier (see `NAME_TIERS`): one row has `owner/name`, the other only the name, in lower case. A
 * repository that is deleted has only the tier `DELETED_TIER`, which a search omits.
 */
export const repoNames: ComputedTable = {
  name: 'mv_repo_names',
  columns: ['tier', 'name', 'repo_id', 'repo_name', 'stars'],
  key: 'repo_id',
  select: (among) => `
    SELECT
      t.tier,
      CASE WHEN f.is_full = 1 THEN r.repo_name_lower ELSE SUBSTRING(r.repo_name_lower, r.slash + 1) END AS name,
      r.repo_id, r.repo_name, r.stars
    FROM (
      SELECT repo_id, repo_name, repo_name_lower, stars, is_deleted, POSITION('/' IN repo_name_lower) AS slash
      FROM github_repos WHERE repo_name_lower <> '' AND ${among}
    ) r
    JOIN ${ALL_TIERS_SQL} t
      ON (r.is_deleted = 0 AND t.tier >= 0 AND r.stars >= t.tier) OR (r.is_deleted <> 0 AND t.tier = ${DELETED_TIER})
    JOIN (SELECT 1 AS is_full UNION ALL SELECT 0) f
      ON f.is_full = 1 OR (r.slash > 0 AND r.slash < CHAR_LENGTH(r.repo_name_lower))
    ORDER BY t.tier, name, r.repo_id`,
};

/**
 * For each account that is not deleted, one row per tier (see `NAME_TIERS`). A search finds the account by `name`, its login in lower case.
 */
export const userNames: ComputedTable = {
  name: 'mv_user_names',
  columns: ['is_organization', 'tier', 'name', 'id', 'login', 'followers'],
  key: 'id',
  select: (among) => `
    SELECT u.is_organization, t.tier, u.name, u.id, u.login, u.followers
    FROM (
      SELECT id, login, LOWER(login) AS name, followers, CASE WHEN type = 'Organization' THEN 1 ELSE 0 END AS is_organization
      FROM github_users
      WHERE is_deleted = 0 AND login <> '' AND ${among}
    ) u
    JOIN ${NAME_TIERS_SQL} t ON u.followers >= t.tier
    ORDER BY u.is_organization, t.tier, u.name, u.id`,
};

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

/**
 * The numbers of stars and forks of each repository by day, also without an actor. `named_stars` and `named_forks` are those with an actor.
 * `star_seconds` and `fork_seconds` are the sums of their times, in seconds since the start of the day.
 */
export const repoDailyCounts: MergedTable = {
  name: 'mv_repo_daily_counts',
  keys: ['day', 'repo_id'],
  measures: {
    stars: 'sum',
    named_stars: 'sum',
    star_seconds: 'sum',
    forks: 'sum',
    named_forks: 'sum',
    fork_seconds: 'sum',
  },
  select: (events) => `
    SELECT
      day, repo_id,
      SUM(1 - is_fork) AS stars, SUM((1 - is_fork) * is_named) AS named_stars, SUM((1 - is_fork) * second) AS star_seconds,
      SUM(is_fork) AS forks, SUM(is_fork * is_named) AS named_forks, SUM(is_fork * second) AS fork_seconds
    FROM (
      SELECT
        event_day AS day, repo_id,
        CASE WHEN type = 'ForkEvent' THEN 1 ELSE 0 END AS is_fork,
        CASE WHEN COALESCE(actor_id, 0) <> 0 THEN 1 ELSE 0 END AS is_named,
        HOUR(created_at) * 3600 + MINUTE(created_at) * 60 + SECOND(created_at) AS second
      FROM ${events}
      WHERE repo_id <> 0 AND (type = 'ForkEvent' OR (type = 'WatchEvent' AND action = 'started'))
    ) counted
    GROUP BY day, repo_id`,
};

/** The tables that are merged from events, in the order in which they are computed. */
export const MERGED_TABLES: readonly MergedTable[] = [
  repoIssues,
  repoPullRequests,
  repoStars,
  repoForks,
  repoDailyCounts,
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
 * The tables that operations read by the first columns of their key. The rows of the daily counts are in the order of their days without
 * being sorted.
 */
export const CLUSTERED_TABLES: readonly ClusteredTable[] = [
  ...[repoIssues, repoPullRequests, repoStars, repoPeople].map(({ name, keys }) => ({ name, order: keys })),
  ...RECOMPUTED_TABLES.map(({ name, columns }) => ({ name, order: columns.slice(0, 3) })),
  { name: 'github_repos', order: ['repo_id'] },
  { name: repoNames.name, order: ['tier', 'name'] },
  { name: userNames.name, order: ['is_organization', 'tier', 'name'] },
  { name: 'github_users', order: ['id'] },
  { name: 'repo_name_uses', order: ['name'] },
  { name: 'user_name_uses', order: ['name'] },
];
