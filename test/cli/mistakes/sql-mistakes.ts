import type { Mistake } from './valid-definition.js';

/** Mistakes in the template and in the SQL. The last ones are only found by the database. */
export const SQL_MISTAKES: readonly Mistake[] = [
  {
    name: 'ILIKE of another database',
    edits: [['AND s.day BETWEEN', "AND r.repo_name ILIKE '%api%' AND s.day BETWEEN"]],
    report: '19:21 sql: MySQL has no ILIKE: write LOWER(x) LIKE LOWER(pattern)',
  },
  {
    name: 'an aggregate of another database',
    edits: [['COUNT(*) AS stars', 'COUNTIF(s.user_id > 0) AS stars']],
    report:
      '15:17 sql: duckdb cannot run this: COUNTIF cannot be translated for the embedded database. Write COUNT(CASE WHEN … THEN 1 END). (got SELECT s.day, COUNTIF(s.user_id > 0) AS stars)',
  },
  {
    name: 'a misspelled parameter',
    edits: [['{{ from }}', '{{ form }}']],
    report: '19:26 sql: form is not a parameter of this SQL (did you mean "from"?)',
  },
  {
    name: 'a value in quotes',
    edits: [['{{ owner }}, ', "'{{ owner }}', "]],
    report:
      "18:43 sql: {{ owner }} is inside a string literal: bind it outside, for example CONCAT('%', {{ owner }}, '%')",
  },
  {
    name: 'one brace',
    edits: [['{{ repo }}', '{ repo }']],
    report: '18:67 sql: not SQL: bind a value with {{ name }}, in two braces',
  },
  {
    name: 'a tag that is not closed',
    edits: [['{% endcase %}', '']],
    report: '22:12 sql: {% case %} is not closed (expected {% endcase %})',
  },
  {
    name: 'a value that the enum does not have',
    edits: [['{% when "stars" %}', '{% when "star" %}']],
    report: '22:56 sql: sort is never "star" (did you mean "stars"?) (expected one of "day", "stars")',
  },
  {
    name: 'a choice by a number',
    edits: [['  HAVING COUNT(*) >= {{ least }}', '  {% if least %}HAVING COUNT(*) >= {{ least }}{% endif %}']],
    report:
      '21:9 sql: a condition can test only enums, booleans and lists, but least has the type integer: the text of the query must not depend on caller input; bind the value instead, for example ({{ least }} IS NULL OR column = {{ least }})',
  },
  {
    name: 'a parameter in ORDER BY',
    edits: [
      ['{% case sort %}{% when "day" %}s.day{% when "stars" %}stars DESC, s.day{% endcase %}', '{{ sort }}, s.day'],
    ],
    report: '22:12 sql: {{ sort }} in ORDER BY is a constant and has no effect: select a fragment with {% case %}',
  },
  {
    name: 'an unknown filter',
    edits: [['{{ owner }}', '{{ owner | lower }}']],
    report:
      '18:53 sql: unknown filter lower (expected one of upcase, downcase, strip, append, prepend, plus, minus, size)',
  },
  {
    name: 'a comma before FROM',
    edits: [['AS stars\n', 'AS stars,\n']],
    report: '15:34 sql: not SQL: nothing follows the comma',
  },
  {
    name: 'a missing parenthesis',
    edits: [['{{ repo }}))', '{{ repo }})']],
    report: '20:3 sql: not SQL: expected ) here, got "GROUP"',
  },
  {
    name: 'a cast of another database',
    edits: [['s.day, COUNT', 's.day::date AS day, COUNT']],
    report: '15:15 sql: MySQL has no x::type: write CAST(x AS type)',
  },
  {
    name: 'the time of the database',
    edits: [['{{ to }}\n', '{{ to }} AND s.day <= NOW()\n']],
    report: '19:60 sql: NOW reads the clock of the database: use {{ now }}, the clock of the service in UTC',
  },
  {
    name: 'a reserved word as a name',
    edits: [
      ['AS stars', 'AS rank'],
      ['col: stars', 'col: rank'],
      ['stars DESC', 's.day DESC'],
    ],
    report: '15:29 sql: rank is a reserved word of MySQL, MariaDB or TiDB: write `rank`',
  },
  {
    name: 'columns in another order',
    edits: [['s.day, COUNT(*) AS stars', 'COUNT(*) AS stars, s.day']],
    report: '15:3 sql: the SELECT returns the wrong columns: expected day, stars, got stars, day',
  },
  {
    name: 'an expression without a name',
    edits: [
      ['COUNT(*) AS stars', 'COUNT(*)'],
      ['stars DESC', 'COUNT(*) DESC'],
    ],
    report: '15:3 sql: column 2 of the SELECT has no name: add one with AS',
  },
  {
    name: 'a LIMIT with pagination',
    edits: [
      ['{% endcase %}', '{% endcase %}\n  LIMIT 10'],
      ['columns:', 'pagination: { default: 30, max: 100 }\ncolumns:'],
    ],
    report: '11:1 pagination: pagination adds LIMIT and OFFSET, but the SQL already has LIMIT: remove the LIMIT',
  },
  {
    name: 'a second statement',
    edits: [['{% endcase %}', '{% endcase %}; SELECT 1']],
    report: '22:96 sql: the SQL has more than one statement: write one SELECT',
  },
  {
    name: 'a private column',
    edits: [['s.day, COUNT(*) AS stars\n  FROM', 'MIN(u.email) AS day, COUNT(*) AS stars\n  FROM github_users u JOIN']],
    report: '15:16 sql: the column email of github_users is private: remove it',
  },
  {
    name: 'a function of another database',
    edits: [['SELECT s.day', "SELECT DATE_TRUNC('day', s.day) AS day"]],
    report:
      "15:10 sql: duckdb cannot run this: The function DATE_TRUNC is unknown on the embedded database. Write DATE(x) for days, or DATE_FORMAT(x, '%Y-%m-01') for months. (got SELECT DATE_TRUNC('day', s.day) AS day, COUNT(*) AS stars)",
  },
  {
    name: 'an unknown table',
    edits: [['JOIN mv_repo_stars', 'JOIN mv_repo_star']],
    report:
      '17:8 sql: the database cannot run this: the table "mv_repo_star" does not exist (did you mean "mv_repo_stars"?) (got JOIN mv_repo_star s ON s.repo_id = r.repo_id)',
  },
  {
    name: 'an unknown column',
    edits: [['COUNT(*) AS stars', 'COUNT(s.user) AS stars']],
    report:
      '15:23 sql: the database cannot run this: unknown column "s.user" (did you mean "user_id"?) (got SELECT s.day, COUNT(s.user) AS stars)',
  },
  {
    name: 'values of different types in IF',
    edits: [['COUNT(*) AS stars', 'MAX(IF(s.user_id > 5, s.day, s.user_id)) AS stars']],
    report:
      '15:3 sql: the database cannot run this: IF or CASE has values of the types BIGINT and DATE: write CAST(x AS CHAR) around each value, or CASTs to another common type (got SELECT s.day, MAX(IF(s.user_id > 5, s.day, s.user_id)) AS stars)',
  },
];
