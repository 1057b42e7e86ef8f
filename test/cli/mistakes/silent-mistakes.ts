import type { Mistake } from './valid-definition.js';

/** Mistakes in SQL that runs: warnings. */
export const SILENT_MISTAKES: readonly Mistake[] = [
  { name: 'a forgotten GROUP BY', edits: [['  GROUP BY s.day\n', '']], report: '' },
  { name: 'a selected column that is not grouped', edits: [['s.day, COUNT(*) AS stars', 's.day, COUNT(*) AS stars, r.primary_language AS language'], ['columns:', 'columns:'], ["description: Stars of the day }", "description: Stars of the day }\n  - { col: language, data_type: VARCHAR, nullable: false, description: Language }"]], report: '' },
  { name: 'ties in the order of pages', edits: [['stars DESC, s.day', 'stars DESC'], ['columns:', 'pagination: { default: 30, max: 100 }\ncolumns:']], report: '' },
  { name: 'no ORDER BY', edits: [['  ORDER BY {% case sort %}{% when "day" %}s.day{% when "stars" %}stars DESC, s.day{% endcase %}\n', ''], ["  sort: { in: query, enum: [day, stars], default: day, description: Order }\n", '']], report: '' },
  { name: 'a number compared with text', edits: [['AND s.day BETWEEN', 'AND r.repo_name = {{ least }} AND s.day BETWEEN']], report: '' },
  { name: 'a date as a number', edits: [['AND s.day BETWEEN', 'AND s.day > 20200101 AND s.day BETWEEN']], report: '' },
  { name: 'a day as free text', edits: [['to: { in: query, type: string, format: date,', 'to: { in: query, type: string,'], [' notAfter: to,', '']], report: '' },
  { name: 'a time until a day', edits: [['AND s.day BETWEEN', 'AND r.created_at <= {{ to }} AND s.day BETWEEN']], report: '' },
  { name: 'SELECT *', edits: [['FROM github_repos r', 'FROM (SELECT * FROM github_repos) r']], report: '' },
  { name: 'an interval without bounds', edits: [['minimum: 0, maximum: 1000, ', ''], ['>= {{ least }}', '>= 0 AND MAX(s.day) > DATE_SUB({{ today }}, INTERVAL {{ least }} DAY)']], report: '' },
  { name: 'no data_as_of', edits: [["data_as_of: SELECT MAX(newest_at) FROM mv_event_coverage WHERE type = 'WatchEvent'\n", '']], report: '' },
  { name: 'a comparison with NULL', edits: [['AND s.day BETWEEN', 'AND r.parent_repo_id = NULL AND s.day BETWEEN']], report: '' },
  { name: 'a filter on a LEFT JOIN', edits: [['AND s.day BETWEEN', 'AND u.is_bot = 0 AND s.day BETWEEN'], ['  WHERE', '  LEFT JOIN github_users u ON u.id = s.user_id\n  WHERE']], report: '' },
  { name: 'NOT IN with NULL', edits: [['AND s.day BETWEEN', 'AND s.user_id NOT IN (SELECT actor_id FROM github_events) AND s.day BETWEEN']], report: '' },
  { name: 'AND and OR without parentheses', edits: [['AND s.day BETWEEN', 'OR r.repo_id = 1 AND s.day BETWEEN']], report: '' },
  { name: 'a sum over a join', edits: [['COUNT(*) AS stars\n', 'SUM(r.stars) AS stars\n']], report: '' },
  { name: 'a reason for a warning that does not exist', edits: [['examples:', 'lint: { select-star: The columns never change. }\nexamples:']], report: '' },
];
