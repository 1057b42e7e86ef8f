import { AS_OF, NEVER_CHANGES, REPO_ID, SINCE_FEED, WITH_BATCH, WITH_TRACKING } from './repeated-texts.js';
import { describeTable } from './table-reference-entry.js';

const NO_HISTORY = 'A row has the present state, not the history.';

/** Lists that operators maintain, the calendar, and the coverage of the data. */
export const LIST_TABLES = {
  collections: describeTable(
    {
      description: 'The public collections of repositories, for example databases or web frameworks.',
      grain: 'public collection',
      events: [],
      since: NO_HISTORY,
      freshness: 'Changes when an operator runs `data collections`, which replaces all rows.',
      example: `
        SELECT id, name
        FROM collections
        ORDER BY name, id LIMIT 10`,
      where: '`public` = 1',
    },
    {
      id: ['BIGINT', 'Id of the collection.'],
      name: ['VARCHAR(255)', 'Name of the collection.'],
      public: ['TINYINT', '1: everyone can read the collection.'],
    },
  ),
  collection_items: describeTable(
    {
      description: 'The repositories of the public collections.',
      grain: 'repository of a collection',
      events: ['WatchEvent'],
      since: NO_HISTORY,
      freshness: 'Changes when an operator runs `data collections`. The ranks change like `mv_trending_repos`.',
      example: `
        SELECT c.name, i.repo_name, i.last_month_rank
        FROM collection_items i
        JOIN collections c ON c.id = i.collection_id
        WHERE i.last_month_rank <= 3
        ORDER BY c.name, i.last_month_rank LIMIT 10`,
      where: '`collection_id` IN (SELECT `id` FROM `collections` AS `public_collections` WHERE `public` = 1)',
    },
    {
      id: ['BIGINT', 'Id of the item.'],
      collection_id: ['BIGINT', 'Id of the collection; joins `collections.id`.'],
      repo_name: ['VARCHAR(140)', 'Name of the repository when it was added, as owner/name.'],
      repo_id: ['BIGINT', 'Id of the repository; joins `github_repos.repo_id`.'],
      last_month_rank: [
        'INT',
        'Rank in the collection by new stars of the last complete calendar month; NULL without stars.',
      ],
      last_2nd_month_rank: ['INT', 'The rank in the month before; NULL without stars.'],
    },
  ),
  osdb_repos: describeTable(
    {
      description: 'The repositories of open-source databases, in groups.',
      grain: 'repository',
      events: [],
      since: NO_HISTORY,
      freshness: 'Changes when an operator runs `data osdb`, which replaces all rows.',
      example: `
        SELECT group_name, COUNT(*) AS repositories
        FROM osdb_repos
        GROUP BY group_name
        ORDER BY group_name`,
    },
    {
      id: ['BIGINT', 'Id of the repository; joins `github_repos.repo_id`.'],
      name: ['VARCHAR(140)', 'Name of the repository as owner/name.'],
      group_name: ['VARCHAR(255)', 'Name of the group.'],
    },
  ),
  calendar_days: describeTable(
    {
      description: 'Every day from 2000 to 2099, so that series can contain days without events.',
      grain: 'day',
      events: [],
      since: 'From 2000-01-01 to 2099-12-31.',
      freshness: NEVER_CHANGES,
      example: `
        SELECT c.day, COALESCE(SUM(e.events), 0) AS events
        FROM calendar_days c
        LEFT JOIN mv_event_coverage e ON e.day = c.day
        WHERE c.day BETWEEN '2024-01-01' AND '2024-01-07'
        GROUP BY c.day
        ORDER BY c.day`,
    },
    {
      day: ['DATE', 'The day.'],
      week: ['DATE', 'The Monday of its week.'],
      month: ['DATE', 'The first day of its month.'],
    },
  ),
  mv_event_coverage: describeTable(
    {
      description: 'What the data contain: the events of each type and day.',
      grain: 'type of event and day with an event of this type',
      events: ['*'],
      since: SINCE_FEED,
      freshness: WITH_BATCH,
      example: `
        SELECT type, SUM(events) AS events, MAX(newest_at) AS newest
        FROM mv_event_coverage
        GROUP BY type
        ORDER BY events DESC, type LIMIT 10`,
    },
    {
      type: ['VARCHAR(29)', 'Type of the events, as in `github_events`.'],
      day: ['DATE', 'The day, in UTC.'],
      events: ['BIGINT', 'Number of events.', 'events'],
      newest_at: ['DATETIME', 'Time of the newest event. The maximum is the time of the newest data.'],
      hours: ['INT', 'Hours with events, as bits: bit h is 1 if hour h (0 to 23) has an event.'],
    },
  ),
  mv_feed_gaps: describeTable(
    {
      description:
        'Consecutive hours without any event of a type that operations count. Numbers of these hours are unknown, not zero.',
      grain: 'type of event and gap',
      events: [
        ...['WatchEvent', 'IssuesEvent', 'PullRequestEvent', 'PushEvent', 'ForkEvent'],
        ...['PullRequestReviewEvent', 'PullRequestReviewCommentEvent'],
      ],
      since: 'From 2000 to 2099: the times before and after the data are gaps, too.',
      freshness: 'Current after each batch of `data import`, which computes all rows again.',
      example: `
        SELECT type, period, hours
        FROM mv_feed_gaps
        ORDER BY hours DESC, type LIMIT 10`,
    },
    {
      type: ['VARCHAR(29)', 'Type of the events, as in `github_events`.'],
      first_hour: ['DATETIME', 'First hour; 2000 for the time before the data.'],
      last_hour: ['DATETIME', 'Last hour, inclusive; 2099 for the time after.'],
      hours: ['INT', 'Number of hours.', 'hours'],
      period: ['VARCHAR(64)', 'The period as text.'],
    },
  ),
  mv_event_shares: describeTable(
    {
      description: 'How complete the events of each month are, compared with GitHub.',
      grain: 'type of event and month',
      events: ['*'],
      since: SINCE_FEED,
      freshness: AS_OF,
      example: `
        SELECT month, type, events, push_share, known, counted
        FROM mv_event_shares
        ORDER BY month DESC, type LIMIT 20`,
    },
    {
      type: ['VARCHAR(29)', 'Type of the events, as in `github_events`.'],
      month: ['DATE', 'The first day of its month.'],
      events: ['BIGINT', 'Number of events.', 'events'],
      push_share: ['DECIMAL(5, 4)', 'Share of pushes in all events.', 'share'],
      repositories: ['INT', 'Tracked repositories that were compared.', 'repositories'],
      known: ['BIGINT', 'Their stars, issues or pull requests in events.', 'items'],
      counted: ['BIGINT', 'The same on GitHub.', 'items'],
      is_partial: ['TINYINT', '1: the events are incomplete.'],
      period: ['VARCHAR(64)', 'The period as text.'],
    },
  ),
  github_star_days: describeTable(
    {
      description: "GitHub's daily counts of the stars of tracked repositories, without accounts.",
      grain: 'tracked repository and day with a star',
      events: [],
      since: 'From the first star of the repository.',
      freshness: WITH_TRACKING,
      example: `
        SELECT n.repo_id, n.day, n.newcomers, d.stars
        FROM mv_repo_daily_newcomers n
        LEFT JOIN github_star_days d ON d.repo_id = n.repo_id AND d.day = n.day
        WHERE n.kind = 'stargazers'
        ORDER BY n.day DESC, n.repo_id LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      day: ['DATE', 'The day on GitHub, which need not be in UTC.'],
      stars: ['INT', 'Stars of this day that users did not remove.', 'stars'],
    },
  ),
  github_star_histories: describeTable(
    {
      description: 'The tracked repositories with all days in github_star_days.',
      grain: 'tracked repository with a complete star history',
      events: [],
      since: NO_HISTORY,
      freshness: WITH_TRACKING,
      example: `
        SELECT c.name, COUNT(*) AS repositories, COUNT(h.repo_id) AS counted
        FROM collections c
        JOIN collection_items i ON i.collection_id = c.id
        LEFT JOIN github_star_histories h ON h.repo_id = i.repo_id
        GROUP BY c.name
        ORDER BY c.name LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      counted_on: ['DATE', 'Day of the newest request.'],
      stars: ['BIGINT', 'Stars until that day.', 'stars'],
    },
  ),
  github_issues: describeTable(
    {
      description: 'The issues and pull requests that GitHub lists.',
      grain: 'issue or pull request of a tracked repository',
      events: [],
      since: 'From the first issue of the repository.',
      freshness: WITH_TRACKING,
      example: `
        SELECT t.repo_id, t.pull_requests, COUNT(i.number) AS listed, COUNT(i.merged_at) AS merged
        FROM mv_repo_totals t
        LEFT JOIN github_issues i ON i.repo_id = t.repo_id AND i.is_pull_request = 1
        GROUP BY t.repo_id, t.pull_requests
        ORDER BY t.pull_requests DESC, t.repo_id LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      number: ['BIGINT', 'Number of the issue or pull request.'],
      is_pull_request: ['TINYINT', '1: pull request.'],
      user_id: ['BIGINT', 'Id of the creator; 0 if unknown.'],
      opened_at: ['DATETIME', 'Time of the opening.'],
      merged_at: ['DATETIME', 'Time of the merge, or NULL.'],
    },
  ),
  github_issue_lists: describeTable(
    {
      description: 'The tracked repositories with all rows in github_issues.',
      grain: 'tracked repository with a complete list',
      events: [],
      since: NO_HISTORY,
      freshness: WITH_TRACKING,
      example: `
        SELECT c.name, COUNT(*) AS repositories, COUNT(l.repo_id) AS listed
        FROM collections c
        JOIN collection_items i ON i.collection_id = c.id
        LEFT JOIN github_issue_lists l ON l.repo_id = i.repo_id
        GROUP BY c.name
        ORDER BY c.name LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      listed_on: ['DATE', 'Day of the newest request.'],
    },
  ),
  repo_feed_ranges: describeTable(
    {
      description: 'Time ranges for which all events of a repository are known, from its feed on GitHub.',
      grain: 'tracked repository and range of times',
      events: [],
      since: NO_HISTORY,
      freshness: WITH_TRACKING,
      example: `
        SELECT c.name, COUNT(DISTINCT i.repo_id) AS repositories, COUNT(DISTINCT f.repo_id) AS followed
        FROM collections c
        JOIN collection_items i ON i.collection_id = c.id
        LEFT JOIN repo_feed_ranges f ON f.repo_id = i.repo_id
        GROUP BY c.name
        ORDER BY c.name LIMIT 10`,
    },
    {
      repo_id: REPO_ID,
      first_at: ['DATETIME', 'Start of the range.'],
      last_at: ['DATETIME', 'End of the range.'],
      period: ['VARCHAR(64)', 'Both times as text.'],
    },
  ),
};
