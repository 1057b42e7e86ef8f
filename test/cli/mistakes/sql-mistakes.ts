import type { Mistake } from './valid-definition.js';

/** Mistakes in the template and in the SQL. The database finds the last ones. */
export const SQL_MISTAKES: readonly Mistake[] = [
  { name: 'a misspelled parameter', edits: [['{{ from }}', '{{ form }}']], report: '' },
  { name: 'a value in quotes', edits: [['{{ owner }}, ', "'{{ owner }}', "]], report: '' },
  { name: 'one brace', edits: [['{{ repo }}', '{ repo }']], report: '' },
  { name: 'a tag that is not closed', edits: [['{% endcase %}', '']], report: '' },
  { name: 'a value that the enum does not have', edits: [['{% when "stars" %}', '{% when "star" %}']], report: '' },
  { name: 'a choice by a number', edits: [['  HAVING COUNT(*) >= {{ least }}', '  {% if least %}HAVING COUNT(*) >= {{ least }}{% endif %}']], report: '' },
  { name: 'a parameter in ORDER BY', edits: [['{% case sort %}{% when "day" %}s.day{% when "stars" %}stars DESC, s.day{% endcase %}', '{{ sort }}, s.day']], report: '' },
  { name: 'an unknown filter', edits: [['{{ owner }}', '{{ owner | lower }}']], report: '' },
  { name: 'a comma before FROM', edits: [['AS stars\n', 'AS stars,\n']], report: '' },
  { name: 'a missing parenthesis', edits: [['{{ repo }}))', '{{ repo }})']], report: '' },
  { name: 'a cast of another database', edits: [['s.day, COUNT', 's.day::date AS day, COUNT']], report: '' },
  { name: 'the time of the database', edits: [['{{ to }}\n', '{{ to }} AND s.day <= NOW()\n']], report: '' },
  { name: 'a reserved word as a name', edits: [['AS stars', 'AS rank'], ['col: stars', 'col: rank'], ['stars DESC', 's.day DESC']], report: '' },
  { name: 'columns in another order', edits: [['s.day, COUNT(*) AS stars', 'COUNT(*) AS stars, s.day']], report: '' },
  { name: 'an expression without a name', edits: [['COUNT(*) AS stars', 'COUNT(*)'], ['stars DESC', 'COUNT(*) DESC']], report: '' },
  { name: 'a LIMIT with pagination', edits: [['{% endcase %}', '{% endcase %}\n  LIMIT 10'], ['columns:', 'pagination: { default: 30, max: 100 }\ncolumns:']], report: '' },
  { name: 'a second statement', edits: [['{% endcase %}', '{% endcase %}; SELECT 1']], report: '' },
  { name: 'a private column', edits: [['s.day, COUNT(*) AS stars\n  FROM', 'MIN(u.email) AS day, COUNT(*) AS stars\n  FROM github_users u JOIN']], report: '' },
  { name: 'a function of another database', edits: [['SELECT s.day', "SELECT DATE_TRUNC('day', s.day) AS day"]], report: '' },
  { name: 'an unknown table', edits: [['JOIN mv_repo_stars', 'JOIN mv_repo_star']], report: '' },
  { name: 'an unknown column', edits: [['COUNT(*) AS stars', 'COUNT(s.user) AS stars']], report: '' },
];
