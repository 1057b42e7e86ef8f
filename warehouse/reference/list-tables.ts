import { describeTable } from './table-reference-entry.js';

/** Lists that operators maintain, the calendar, and the coverage of the data. */
export const LIST_TABLES = {
  collections: describeTable(
    'The public collections of repositories, for example databases or web frameworks.',
    {
      id: ['BIGINT', 'Id of the collection.'],
      name: ['VARCHAR(255)', 'Name of the collection.'],
      public: ['TINYINT', '1: everyone can read the collection.'],
    },
    '`public` = 1',
  ),
  collection_items: describeTable(
    'The repositories of the public collections.',
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
    '`collection_id` IN (SELECT `id` FROM `collections` AS `public_collections` WHERE `public` = 1)',
  ),
  osdb_repos: describeTable('The repositories of open-source databases, in groups.', {
    id: ['BIGINT', 'Id of the repository; joins `github_repos.repo_id`.'],
    name: ['VARCHAR(140)', 'Name of the repository as owner/name.'],
    group_name: ['VARCHAR(255)', 'Name of the group.'],
  }),
  calendar_days: describeTable('Every day from 2000 to 2099, so that series can contain days without events.', {
    day: ['DATE', 'The day.'],
    week: ['DATE', 'The Monday of its week.'],
    month: ['DATE', 'The first day of its month.'],
  }),
  mv_event_coverage: describeTable('What the data contain: one row per type of event and day.', {
    type: ['VARCHAR(29)', 'Type of the events, as in `github_events`.'],
    day: ['DATE', 'The day, in UTC.'],
    events: ['BIGINT', 'Number of events.'],
    newest_at: ['DATETIME', 'Time of the newest event of the day. The maximum is the age of the data.'],
    hours: ['INT', 'Hours with events, as bits: bit h is 1 if hour h (0 to 23) has an event.'],
  }),
  mv_feed_gaps: describeTable(
    'Consecutive hours without any event of a type that operations count. Numbers of these hours are unknown, not zero.',
    {
      type: ['VARCHAR(29)', 'Type of the missing events.'],
      first_hour: ['DATETIME', 'First hour of the gap; 2000 for the time before the data.'],
      last_hour: ['DATETIME', 'Last hour of the gap, inclusive; 2099 for the time after the data.'],
      hours: ['INT', 'Number of hours.'],
      period: ['VARCHAR(64)', 'The hours as text.'],
    },
  ),
};
