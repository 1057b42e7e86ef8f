import type { Mistake } from './valid-definition.js';

/** Mistakes in SQL that still runs, so they only cause warnings. */
export const SILENT_MISTAKES: readonly Mistake[] = [
  {
    name: 'texts joined with ||',
    edits: [["CONCAT({{ owner }}, '/', {{ repo }})", "{{ owner }} || '/' || {{ repo }}"]],
    report:
      '18:35 sql: OR and || of a text is a condition in MySQL: the result is 1 or 0. Write CONCAT(a, b) to join texts, or compare the text with a value [or-instead-of-concat]',
  },
  {
    name: 'a forgotten GROUP BY',
    edits: [['  GROUP BY s.day\n', '']],
    report:
      '15:10 sql: The aggregates make one row of all rows, and s.day is the value of any one of them. Add GROUP BY s.day, or write an aggregate such as MAX(s.day), or ANY_VALUE(s.day) if all values are equal [ungrouped-column]',
  },
  {
    name: 'a selected column that is not grouped',
    edits: [
      ['s.day, COUNT(*) AS stars', 's.day, COUNT(*) AS stars, r.primary_language AS language'],
      ['columns:', 'columns:'],
      [
        'description: Stars of the day }',
        'description: Stars of the day }\n  - { col: language, data_type: VARCHAR, nullable: false, description: Language }',
      ],
    ],
    report:
      '16:36 sql: A group has several rows, and r.primary_language is the value of any one of them. Add r.primary_language to GROUP BY, or write an aggregate such as MAX(r.primary_language), or ANY_VALUE(r.primary_language) if all values are equal [ungrouped-column]',
  },
  {
    name: 'ties in the order of pages',
    edits: [
      ['stars DESC, s.day', 'stars DESC'],
      ['columns:', 'pagination: { default: 30, max: 100 }\ncolumns:'],
    ],
    report:
      '23:66 sql: Different rows can be equal in ORDER BY: pages can repeat rows and omit others. Add s.day at the end of ORDER BY [unstable-pages]',
  },
  {
    name: 'no ORDER BY',
    edits: [
      ['  ORDER BY {% case sort %}{% when "day" %}s.day{% when "stars" %}stars DESC, s.day{% endcase %}\n', ''],
      ['  sort: { in: query, enum: [day, stars], default: day, description: Order }\n', ''],
    ],
    report:
      '14:10 sql: The SQL has no ORDER BY: equal requests can return rows in another order, and other rows if limits.rows truncates them. Add ORDER BY with columns that identify a row [unstable-pages]',
  },
  {
    name: 'a number compared with text',
    edits: [['AND s.day BETWEEN', 'AND r.repo_name = {{ least }} AND s.day BETWEEN']],
    report:
      "19:9 sql: r.repo_name is text and {{ least }} is a number: databases convert the text to a number, and 'abc' to 0 or an error. Declare the parameter least with type: string [text-compared-with-number]",
  },
  {
    name: 'a date as a number',
    edits: [['AND s.day BETWEEN', 'AND s.day > 20200101 AND s.day BETWEEN']],
    report:
      "19:9 sql: s.day is a DATE and 20200101 is a number: databases convert one of them in different ways. Write a date such as '2024-01-31' [date-compared-with-other-type]",
  },
  {
    name: 'a day as free text',
    edits: [
      ['to: { in: query, type: string, format: date,', 'to: { in: query, type: string,'],
      [' notAfter: to,', ''],
    ],
    report:
      '19:9 sql: s.day is a DATE and {{ to }} is not a date: databases convert one of them in different ways. Declare the parameter to with type: string, format: date [date-compared-with-other-type]',
  },
  {
    name: 'a time until a day',
    edits: [['AND s.day BETWEEN', 'AND r.created_at <= {{ to }} AND s.day BETWEEN']],
    report:
      '19:9 sql: r.created_at is a DATETIME and {{ to }} is the midnight of a day: the rest of the last day is missing. Write r.created_at < DATE_ADD({{ to }}, INTERVAL 1 DAY) [datetime-compared-with-day]',
  },
  {
    name: 'SELECT *',
    edits: [['FROM github_repos r', 'FROM (SELECT * FROM github_repos) r']],
    report:
      '15:23 sql: A column that is added to a table, removed from it or moved changes the result of *. Name the columns [select-all-columns]',
  },
  {
    name: 'an interval without bounds',
    edits: [
      ['minimum: 0, maximum: 1000, ', ''],
      ['>= {{ least }}', '>= 0 AND MAX(s.day) > DATE_SUB({{ today }}, INTERVAL {{ least }} DAY)'],
    ],
    report:
      '10:3 params.least: A caller can send any number for this parameter, which is used in INTERVAL: the cost of the query has no limit, and extreme values are errors. Add minimum and maximum [unbounded-parameter]',
  },
  {
    name: 'no data_as_of',
    edits: [["data_as_of: SELECT MAX(newest_at) FROM mv_event_coverage WHERE type = 'WatchEvent'\n", '']],
    report:
      '14:1 sql: Without data_as_of, the age of the data is unknown, which every answer states. Add the key data_as_of with a SELECT of the time of the newest fact [no-data-as-of]',
  },
  {
    name: 'a comparison with NULL',
    edits: [['AND s.day BETWEEN', 'AND r.parent_repo_id = NULL AND s.day BETWEEN']],
    report: '19:9 sql: A comparison with NULL is never true. Write IS NULL [compared-with-null]',
  },
  {
    name: 'a filter on a LEFT JOIN',
    edits: [
      ['AND s.day BETWEEN', 'AND u.is_bot = 0 AND s.day BETWEEN'],
      ['  WHERE', '  LEFT JOIN github_users u ON u.id = s.user_id\n  WHERE'],
    ],
    report:
      '20:9 sql: The LEFT JOIN has no effect: this condition removes the rows without a row of u, where u.is_bot is NULL. Move the condition to ON, or write JOIN instead of LEFT JOIN [left-join-filtered]',
  },
  {
    name: 'NOT IN with NULL',
    edits: [['AND s.day BETWEEN', 'AND s.user_id NOT IN (SELECT actor_id FROM github_events) AND s.day BETWEEN']],
    report:
      '19:9 sql: NOT IN is never true if actor_id is NULL in one row of the query, so the result would be empty. Add WHERE actor_id IS NOT NULL to the query, or write NOT EXISTS [not-in-nullable]',
  },
  {
    name: 'AND and OR without parentheses',
    edits: [['AND s.day BETWEEN', 'OR r.repo_id = 1 AND s.day BETWEEN']],
    report:
      '18:9 sql: AND binds before OR, so a OR b AND c means a OR (b AND c). Write parentheses around the conditions that belong together [and-or-without-parentheses]',
  },
  {
    name: 'a sum over a join',
    edits: [['COUNT(*) AS stars\n', 'SUM(r.stars) AS stars\n']],
    report:
      '15:21 sql: r.stars can count several times: several rows of s can belong to one row of r. Compute it in a derived table without s, and join its result [repeated-sum]',
  },
  {
    name: 'a reason for a warning that does not exist',
    edits: [['examples:', 'lint: { select-all-columns: The columns never change. }\nexamples:']],
    report: '24:9 lint.select-all-columns: The definition has no warning of this rule. Remove the entry [unused-lint]',
  },
];
