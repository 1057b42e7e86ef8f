import { describeTable } from './table-reference-entry.js';

const REPO_ID = ['BIGINT', 'Id of the repository; joins `github_repos.repo_id`.'] as const;
const USER_ID = ['BIGINT', 'Id of the account; joins `github_users.id`.'] as const;
const USER_LOGIN = ['VARCHAR(40)', 'Login of the account at that time.'] as const;

/** Tables that are computed from the events. They answer most questions faster than `github_events`. */
export const DERIVED_TABLES = {
  mv_repo_daily_engagements: describeTable('Events of any type, by day, repository and login.', {
    day: ['DATE', 'The day, in UTC.'],
    repo_id: REPO_ID,
    user_login: USER_LOGIN,
    engagements: ['INT', 'Number of events.'],
  }),
  mv_repo_daily_newcomers: describeTable(
    'People by the day of their first event of a kind. The running total over the days is the history of a repository.',
    {
      repo_id: REPO_ID,
      kind: ['VARCHAR(21)', '`stargazers`, `issue_creators` or `pull_request_creators`.'],
      day: ['DATE', 'The day of the first event, in UTC.'],
      newcomers: ['INT', 'Number of people.'],
    },
  ),
  mv_repo_forks: describeTable('The accounts that forked a repository, from fork events.', {
    repo_id: ['BIGINT', 'Id of the repository that was forked.'],
    user_id: USER_ID,
  }),
  mv_repo_issue_creators: describeTable('The accounts that opened issues in a repository.', {
    repo_id: REPO_ID,
    user_id: USER_ID,
    issues: ['INT', 'Number of issues that the account opened.'],
    first_issue_opened_at: ['DATETIME', 'Time at which it opened its first issue.'],
  }),
  mv_repo_issues: describeTable(
    'The issues of a repository. An issue has a row for its opening, and a row with `user_id` 0 for events of other actions: count distinct numbers.',
    {
      repo_id: REPO_ID,
      number: ['BIGINT', 'Number of the issue; the negative id if the feed has no number.'],
      user_id: ['BIGINT', 'Id of the account that opened the issue; 0 in the row of other actions.'],
      opened_at: ['DATETIME', 'Time of the opening; NULL in the row of other actions.'],
    },
  ),
  mv_repo_participants: describeTable('The accounts with any event in a repository.', {
    repo_id: REPO_ID,
    user_login: USER_LOGIN,
    first_engagement_at: ['DATETIME', 'Time of the first event.'],
    last_engagement_at: ['DATETIME', 'Time of the last event.'],
  }),
  mv_repo_people: describeTable(
    'The accounts that starred a repository or opened its issues or pull requests, with columns of `github_users` (NULL without an account).',
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
  mv_repo_pull_request_creators: describeTable('The accounts that opened pull requests in a repository.', {
    repo_id: REPO_ID,
    user_id: USER_ID,
    prs: ['INT', 'Number of pull requests that the account opened.'],
    first_pr_opened_at: ['DATETIME', 'Time at which it opened its first pull request.'],
    first_pr_merged_at: ['DATETIME', 'Time of the first merge of one of its pull requests; NULL if none is merged.'],
  }),
  mv_repo_pull_requests: describeTable(
    'The pull requests of a repository, with rows like those of `mv_repo_issues`: count distinct numbers.',
    {
      repo_id: REPO_ID,
      number: ['BIGINT', 'Number of the pull request; the negative id if the feed has no number.'],
      user_id: ['BIGINT', 'Id of the account that opened the pull request; 0 in the row of other actions.'],
      opened_at: ['DATETIME', 'Time of the opening; NULL in the row of other actions.'],
      merged_at: ['DATETIME', 'Time of the merge; NULL if the events of this row do not report a merge.'],
      creator_id: ['BIGINT', 'Id of the creator in events of a merged pull request; NULL or 0 if no event names it.'],
      has_event: ['TINYINT', '0: the row only comes from reviews, so it does not count in totals.'],
    },
  ),
  mv_repo_stars: describeTable('The days on which accounts starred a repository, from star events (`WatchEvent`).', {
    repo_id: REPO_ID,
    user_id: USER_ID,
    day: ['DATE', 'The day, in UTC. An account can have several days.'],
  }),
  mv_repo_totals: describeTable('Numbers of a repository over all imported events.', {
    repo_id: REPO_ID,
    issues: ['BIGINT', 'Number of distinct issues.'],
    pull_requests: ['BIGINT', 'Number of distinct pull requests.'],
    stars: ['BIGINT', 'Number of distinct accounts that starred it. `github_repos.stars` can be larger.'],
    forks: ['BIGINT', 'Number of distinct accounts that forked it.'],
    issues_without_creator: [
      'BIGINT',
      'Issues whose creator is unknown, because the data do not contain their opening.',
    ],
    pull_requests_without_creator: ['BIGINT', 'The same for pull requests.'],
  }),
  mv_trending_repos: describeTable(
    'The trending repositories of the periods that end at `dt`. Read the rows with the largest `dt`.',
    {
      language: ['VARCHAR(32)', 'Primary language of the repositories, or `All`.'],
      period: [
        'VARCHAR(15)',
        '`past_24_hours`, `past_week` (7 days), `past_month` (30 days) or `past_3_months` (90 days).',
      ],
      dt: ['DATETIME', 'End of the period: the time of the computation.'],
      repo_id: REPO_ID,
      stars: ['INT', 'Stars in the period.'],
      forks: ['INT', 'Forks in the period.'],
      pull_requests: ['INT', 'Pull requests that people opened in the period; NULL if none.'],
      pushes: ['INT', 'Pushes of people in the period; NULL if none.'],
      total_score: ['DECIMAL(20, 4)', 'The score: later stars and forks count more, and new repositories get a bonus.'],
      contributor_logins: ['TEXT', 'The five most active people of the period, comma-separated.'],
    },
  ),
};
