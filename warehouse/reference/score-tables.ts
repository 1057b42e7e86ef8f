import { AS_OF, REPO_ID, SINCE_FEED, WITH_REPOSITORIES } from './repeated-texts.js';
import { describeTable } from './table-reference-entry.js';

/** Derived tables that compare repositories: their totals and their trends. */
export const SCORE_TABLES = {
  mv_repo_totals: describeTable(
    {
      description: 'Numbers of a repository over all imported events.',
      grain: 'repository with a star, fork, issue, pull request or counts of GitHub',
      events: [
        ...['WatchEvent', 'ForkEvent', 'IssuesEvent', 'PullRequestEvent'],
        ...['PullRequestReviewEvent', 'PullRequestReviewCommentEvent'],
      ],
      since: SINCE_FEED,
      freshness: WITH_REPOSITORIES,
      example: `
        SELECT r.repo_name, t.stars, t.forks, t.issues, t.pull_requests
        FROM mv_repo_totals t
        JOIN github_repos r ON r.repo_id = t.repo_id
        ORDER BY t.stars DESC, t.repo_id LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      issues: ['BIGINT', 'Number of distinct issues.', 'issues'],
      pull_requests: ['BIGINT', 'Number of distinct pull requests.', 'pull requests'],
      stars: ['BIGINT', 'Number of distinct accounts that starred it. `github_repos.stars` can be larger.', 'accounts'],
      forks: ['BIGINT', 'Number of distinct accounts that forked it.', 'accounts'],
      issues_without_creator: ['BIGINT', 'Issues without a known creator.', 'issues'],
      pull_requests_without_creator: ['BIGINT', 'Pull requests without a known creator.', 'pull requests'],
      people_without_id: ['BIGINT', 'People that are known only by login.', 'people'],
      counted_stars: ['BIGINT', 'Stars that GitHub counts, plus later stars in the events.', 'stars'],
    },
  ),
  mv_trending_repos: describeTable(
    {
      description: 'The trending repositories of the periods that end at `dt`. Read the rows with the largest `dt`.',
      grain: 'language, period and repository; at most 100 repositories per language and period',
      events: [
        ...['WatchEvent', 'ForkEvent', 'PushEvent', 'PullRequestEvent'],
        ...['IssuesEvent', 'PullRequestReviewEvent', 'PullRequestReviewCommentEvent'],
      ],
      since: 'Only the last computation is stored; its longest period is 90 days.',
      freshness: AS_OF,
      example: `
        SELECT r.repo_name, t.total_score, t.stars, t.forks
        FROM mv_trending_repos t
        JOIN github_repos r ON r.repo_id = t.repo_id
        WHERE t.language = 'All' AND t.period = 'past_month'
          AND t.dt = (SELECT MAX(dt) FROM mv_trending_repos)
        ORDER BY t.total_score DESC, t.repo_id LIMIT 10`,
    },
    {
      language: ['VARCHAR(32)', 'Primary language of the repositories, or `All`.'],
      period: [
        'VARCHAR(15)',
        '`past_24_hours`, `past_week` (7 days), `past_month` (30 days) or `past_3_months` (90 days).',
      ],
      dt: ['DATETIME', 'End of the period: the time of the computation.'],
      repo_id: REPO_ID,
      stars: ['INT', 'Stars in the events, and those that GitHub counts in addition.', 'stars'],
      forks: ['INT', 'Forks in the period.', 'forks'],
      pull_requests: ['INT', 'Pull requests that people opened in the period; NULL if none.', 'pull requests'],
      pushes: ['INT', 'Pushes of people in the period; NULL if none.', 'pushes'],
      total_score: [
        'DECIMAL(20, 4)',
        'Score: later stars and forks count more; new repositories get a bonus.',
        'points',
      ],
      contributor_logins: ['TEXT', 'The five most active people, comma-separated.'],
    },
  ),
};
