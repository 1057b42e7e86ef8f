import { REPO_ID, SINCE_FEED, SINCE_MERGES, WITH_BATCH, WITH_REPOSITORIES } from './repeated-texts.js';
import { describeTable } from './table-reference-entry.js';

const USER_ID = ['BIGINT', 'Id of the account; joins `github_users.id`.'] as const;

/** Tables that are computed from the events. These tables answer most questions faster than `github_events`. */
export const DERIVED_TABLES = {
  mv_repo_daily_counts: describeTable(
    {
      description: 'Stars and forks in the events, by day and repository.',
      grain: 'day and repository with a star or a fork',
      events: ['WatchEvent', 'ForkEvent'],
      since: SINCE_FEED,
      freshness: WITH_BATCH,
      example: `
        SELECT day, SUM(stars) AS stars, SUM(forks) AS forks
        FROM mv_repo_daily_counts
        GROUP BY day
        ORDER BY day DESC LIMIT 30`,
    },
    {
      day: ['DATE', 'The day, in UTC.'],
      repo_id: REPO_ID,
      stars: ['INT', 'Number of stars.', 'stars'],
      named_stars: ['INT', 'Those of known accounts.', 'stars'],
      star_seconds: ['BIGINT', 'Sum of their seconds of the day.', 'seconds'],
      forks: ['INT', 'Number of forks.', 'forks'],
      named_forks: ['INT', 'Those of known accounts.', 'forks'],
      fork_seconds: ['BIGINT', 'Sum of their seconds of the day.', 'seconds'],
    },
  ),
  mv_repo_daily_newcomers: describeTable(
    {
      description:
        'People by the day of their first event of a kind. The running total over the days is the history of a repository.',
      grain: 'repository, kind and day with a first event',
      events: ['WatchEvent', 'IssuesEvent', 'PullRequestEvent'],
      since: SINCE_FEED,
      freshness: WITH_REPOSITORIES,
      example: `
        SELECT n.day, n.newcomers, SUM(n.newcomers) OVER (ORDER BY n.day) AS total
        FROM mv_repo_daily_newcomers n
        WHERE n.kind = 'stargazers'
          AND n.repo_id = (SELECT repo_id FROM mv_repo_totals ORDER BY stars DESC, repo_id LIMIT 1)
        ORDER BY n.day DESC LIMIT 30`,
    },
    {
      repo_id: REPO_ID,
      kind: ['VARCHAR(21)', '`stargazers`, `issue_creators` or `pull_request_creators`.'],
      day: ['DATE', 'The day of the first event, in UTC.'],
      newcomers: ['INT', 'Number of people.', 'people'],
    },
  ),
  mv_repo_forks: describeTable(
    {
      description: 'The days on which accounts forked a repository, from fork events.',
      grain: 'repository, account that forked it, and day',
      events: ['ForkEvent'],
      since: SINCE_FEED,
      freshness: WITH_BATCH,
      example: `
        SELECT r.repo_name, COUNT(DISTINCT f.user_id) AS forks
        FROM mv_repo_forks f
        JOIN github_repos r ON r.repo_id = f.repo_id
        GROUP BY r.repo_id, r.repo_name
        ORDER BY forks DESC, r.repo_id LIMIT 10`,
    },
    {
      repo_id: ['BIGINT', 'Id of the repository that was forked.'],
      user_id: USER_ID,
      day: ['DATE', 'The day, in UTC.'],
    },
  ),
  mv_repo_issue_creators: describeTable(
    {
      description: 'The accounts that opened issues in a repository.',
      grain: 'repository and account that opened an issue in it',
      events: ['IssuesEvent'],
      since: SINCE_FEED,
      freshness: WITH_REPOSITORIES,
      example: `
        SELECT u.login, c.issues, c.first_issue_opened_at
        FROM mv_repo_issue_creators c
        JOIN github_users u ON u.id = c.user_id
        WHERE u.is_bot = 0
          AND c.repo_id = (SELECT repo_id FROM mv_repo_totals ORDER BY issues DESC, repo_id LIMIT 1)
        ORDER BY c.issues DESC, u.login LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      user_id: USER_ID,
      issues: ['INT', 'Number of issues that the account opened.', 'issues'],
      first_issue_opened_at: ['DATETIME', 'Time at which it opened its first issue.'],
    },
  ),
  mv_repo_issues: describeTable(
    {
      description:
        'The issues of a repository. An issue has a row for its opening, and a row with `user_id` 0 for events of other actions: count distinct numbers.',
      grain: 'repository, number of an issue, and account that opened it (or 0)',
      events: ['IssuesEvent'],
      since: SINCE_FEED,
      freshness: WITH_BATCH,
      example: `
        SELECT r.repo_name, COUNT(DISTINCT i.number) AS issues
        FROM mv_repo_issues i
        JOIN github_repos r ON r.repo_id = i.repo_id
        GROUP BY r.repo_id, r.repo_name
        ORDER BY issues DESC, r.repo_id LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      number: ['BIGINT', 'Number; the negative id if the feed has no number.'],
      user_id: ['BIGINT', 'Id of the account that opened it; 0 in the row of other actions.'],
      opened_at: ['DATETIME', 'Time of the opening; NULL in the row of other actions.'],
      in_events: ['TINYINT', '1: an event reports the opening.'],
    },
  ),
  mv_repo_names: describeTable(
    {
      description: 'The present names of repositories: find a repository by its name here.',
      grain: 'tier, name and repository',
      events: ['*'],
      since: SINCE_FEED,
      freshness: 'Current after each batch of `data import`, and after `data enrich`.',
      example: `
        SELECT n.repo_id, n.repo_name, n.stars
        FROM mv_repo_names n
        WHERE n.tier = 0 AND n.name LIKE 'a%'
        ORDER BY n.name, n.repo_id LIMIT 10`,
    },
    {
      tier: ['INT', '0: all repositories; 30, 1000: those with as many stars; -1: deleted ones.', 'stars'],
      name: ['VARCHAR(140)', '`owner/name` or only the name, in lower case.'],
      repo_id: REPO_ID,
      repo_name: ['VARCHAR(140)', 'Name as `owner/name`.'],
      stars: ['INT', 'Number of stars, as in `github_repos`.', 'stars'],
    },
  ),
  mv_repo_people: describeTable(
    {
      description:
        'The accounts that starred a repository or opened its issues or pull requests, with columns of `github_users` (NULL without an account).',
      grain: 'repository and account that starred it or opened an issue or a pull request',
      events: ['WatchEvent', 'IssuesEvent', 'PullRequestEvent'],
      since: SINCE_FEED,
      freshness: 'Current after each batch of `data import`, and after `data enrich users` changes an account.',
      example: `
        SELECT country_code, COUNT(DISTINCT user_id) AS people
        FROM mv_repo_people
        WHERE is_bot = 0 AND country_code <> 'N/A'
        GROUP BY country_code
        ORDER BY people DESC, country_code LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      user_id: USER_ID,
      login: ['VARCHAR(40)', 'Present login.'],
      name: ['VARCHAR(255)', 'Name in the profile.'],
      is_bot: ['TINYINT', '1 for bots.'],
      organization_formatted: ['VARCHAR(255)', 'Normalized organization.'],
      country_code: ['CHAR(3)', 'Country; `N/A` if unknown.'],
    },
  ),
  mv_repo_pull_request_creators: describeTable(
    {
      description: 'The accounts that opened pull requests in a repository.',
      grain: 'repository and account that opened a pull request in it',
      events: ['PullRequestEvent', 'PullRequestReviewEvent', 'PullRequestReviewCommentEvent'],
      since: SINCE_MERGES,
      freshness: WITH_REPOSITORIES,
      example: `
        SELECT u.login, c.prs, c.first_pr_merged_at
        FROM mv_repo_pull_request_creators c
        JOIN github_users u ON u.id = c.user_id
        WHERE u.is_bot = 0
          AND c.repo_id = (SELECT repo_id FROM mv_repo_totals ORDER BY pull_requests DESC, repo_id LIMIT 1)
        ORDER BY c.prs DESC, u.login LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      user_id: USER_ID,
      prs: ['INT', 'Number of pull requests that the account opened.', 'pull requests'],
      first_pr_opened_at: ['DATETIME', 'Time at which it opened its first pull request.'],
      first_pr_merged_at: ['DATETIME', 'Time of the first merge of one of its pull requests; NULL if none is merged.'],
    },
  ),
  mv_repo_pull_requests: describeTable(
    {
      description:
        'The pull requests of a repository, with rows like those of `mv_repo_issues`: count distinct numbers.',
      grain: 'repository, number of a pull request, and account that opened it (or 0)',
      events: ['PullRequestEvent', 'PullRequestReviewEvent', 'PullRequestReviewCommentEvent'],
      since: SINCE_MERGES,
      freshness: WITH_BATCH,
      example: `
        SELECT r.repo_name, COUNT(DISTINCT p.number) AS merged
        FROM mv_repo_pull_requests p
        JOIN github_repos r ON r.repo_id = p.repo_id
        WHERE p.merged_at IS NOT NULL
        GROUP BY r.repo_id, r.repo_name
        ORDER BY merged DESC, r.repo_id LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      number: ['BIGINT', 'Number; the negative id if the feed has no number.'],
      user_id: ['BIGINT', 'Id of the account that opened it; 0 in the row of other actions.'],
      opened_at: ['DATETIME', 'Time of the opening; NULL in the row of other actions.'],
      merged_at: ['DATETIME', 'Time of the merge; NULL if the row has none.'],
      creator_id: ['BIGINT', 'Id of the creator in events of a merge; NULL or 0 if unknown.'],
      has_event: ['TINYINT', '0: the row only comes from reviews, and does not count.'],
      in_events: ['TINYINT', '1: an event reports the opening.'],
    },
  ),
  mv_repo_stars: describeTable(
    {
      description: 'The days on which accounts starred a repository, from star events (`WatchEvent`).',
      grain: 'repository, account and day on which it starred the repository',
      events: ['WatchEvent'],
      since: SINCE_FEED,
      freshness: WITH_BATCH,
      example: `
        SELECT day, COUNT(DISTINCT user_id) AS stars
        FROM mv_repo_stars
        WHERE repo_id = (SELECT repo_id FROM mv_repo_totals ORDER BY stars DESC, repo_id LIMIT 1)
        GROUP BY day
        ORDER BY day DESC LIMIT 30`,
    },
    {
      repo_id: REPO_ID,
      user_id: USER_ID,
      day: ['DATE', 'The day, in UTC. An account can have several days.'],
    },
  ),
};
