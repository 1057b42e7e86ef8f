/**
 * SQL with a name, a row or a star that is not a column of a table in FROM. Each has the text, the position that the
 * rejection reports, and the reason.
 */
export const UNKNOWN_NAMES: readonly (readonly [string, number, string])[] = [
  [
    'SELECT MAX(CHAR_LENGTH(CONCAT(t, r.repo_id))) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r',
    30,
    't is a table, not a column',
  ],
  [
    'SELECT MAX(CHAR_LENGTH(CONCAT((t.g, r.repo_id)))) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r',
    31,
    'a row of values is allowed only with = and IN',
  ],
  [
    'SELECT (t.g, r.repo_id) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r',
    8,
    'a row of values is allowed only with = and IN',
  ],
  ["SELECT CONCAT(github_events_2, 'a') FROM github_events", 14, 'there is no column github_events_2 here'],
  ["SELECT CONCAT(github_events_1, 'a') FROM github_events", 14, 'there is no column github_events_1 here'],
  ["SELECT CONCAT(github_events, 'a') FROM github_events", 14, 'github_events is a table, not a column'],
  [
    'SELECT t.id, CONCAT(`T`, t.id) FROM github_repos r JOIN collections t ON t.id = r.repo_id',
    20,
    'T is a table, not a column',
  ],
  ['SELECT github_repos FROM github_repos', 7, 'github_repos is a table, not a column'],
  ['SELECT r.repo_id FROM github_repos r WHERE CHAR_LENGTH(R) > 1', 55, 'R is a table, not a column'],
  ['SELECT r.repo_id FROM github_repos r JOIN collections c ON CONCAT(r) = c.name', 66, 'r is a table, not a column'],
  ['SELECT r.repo_id FROM github_repos r JOIN collections r2 USING (r)', 64, 'a table of this JOIN has no column r'],
  ['SELECT COUNT(*) FROM github_repos r GROUP BY r', 45, 'r is a table, not a column'],
  ['SELECT COUNT(*) FROM github_repos r GROUP BY r.repo_id HAVING MAX(r) > 1', 66, 'r is a table, not a column'],
  ['SELECT repo_id FROM github_repos r ORDER BY r', 44, 'r is a table, not a column'],
  ['SELECT ROW_NUMBER() OVER (ORDER BY r) FROM github_repos r', 35, 'r is a table, not a column'],
  ['SELECT ROW_NUMBER() OVER (PARTITION BY r) FROM github_repos r', 39, 'r is a table, not a column'],
  ['SELECT ROW_NUMBER() OVER w FROM github_repos r WINDOW w AS (ORDER BY r)', 69, 'r is a table, not a column'],
  ['SELECT COUNT(r) FROM github_repos r', 13, 'r is a table, not a column'],
  ['SELECT COUNT(DISTINCT r) FROM github_repos r', 22, 'r is a table, not a column'],
  ['SELECT GROUP_CONCAT(r) FROM github_repos r', 20, 'r is a table, not a column'],
  ['SELECT GROUP_CONCAT(repo_id ORDER BY r) FROM github_repos r', 37, 'r is a table, not a column'],
  ['SELECT JSON_ARRAYAGG(r) FROM github_repos r', 21, 'r is a table, not a column'],
  ["SELECT JSON_OBJECT('r', r) FROM github_repos r", 24, 'r is a table, not a column'],
  ['SELECT (SELECT MAX(CONCAT(r, c.id)) FROM collections c) FROM github_repos r', 26, 'r is a table, not a column'],
  [
    'SELECT repo_id FROM github_repos r WHERE EXISTS (SELECT 1 FROM collections WHERE name = r)',
    88,
    'r is a table, not a column',
  ],
  ['SELECT CASE WHEN 1 THEN r END FROM github_repos r', 24, 'r is a table, not a column'],
  ['SELECT repo_id FROM github_repos r WHERE r IN (1, 2)', 41, 'r is a table, not a column'],
  ['SELECT repo_id FROM github_repos r WHERE r IS NULL', 41, 'r is a table, not a column'],
  ['SELECT rowid FROM github_repos', 7, 'there is no column rowid here'],
  ['SELECT main.repo_id FROM github_repos', 7, 'FROM has no table with the name main'],
  ['SELECT github_repos_1.repo_id FROM github_repos', 7, 'FROM has no table with the name github_repos_1'],
  ['WITH w AS (SELECT 1 AS x) SELECT with_1.x FROM w', 33, 'FROM has no table with the name with_1'],
  ['WITH w AS (SELECT 1 AS x) SELECT with_1 FROM w', 33, 'there is no column with_1 here'],
  ['SELECT t.g.x FROM (SELECT 1 AS g) t', 0, 'DOT is not allowed here'],
  ["SELECT g.x FROM (SELECT JSON_OBJECT('x', 1) AS g) t", 7, 'FROM has no table with the name g'],
  ['SELECT repo_idd FROM github_repos', 7, 'there is no column repo_idd here (did you mean "repo_id"?)'],
  ['SELECT r.repo_idd FROM github_repos r', 7, 'the table r has no column repo_idd (did you mean "repo_id"?)'],
  ['SELECT email FROM github_users', 7, 'there is no column email here'],
  ['SELECT u.email FROM github_users u', 7, 'the table u has no column email'],
  ['SELECT public_collections.id FROM collection_items', 7, 'FROM has no table with the name public_collections'],
  [
    'SELECT repo_name FROM github_repos r JOIN collection_items i ON i.repo_id = r.repo_id',
    7,
    'the column repo_name is ambiguous: write r.repo_name or i.repo_name',
  ],
  [
    'SELECT 1 AS x, x + 1 AS y',
    15,
    'x is a name of the select list, which only GROUP BY, HAVING and ORDER BY may use: repeat its expression',
  ],
  [
    'SELECT repo_id AS x FROM github_repos WHERE x > 1',
    44,
    'x is a name of the select list, which only GROUP BY, HAVING and ORDER BY may use: repeat its expression',
  ],
  [
    'SELECT repo_id AS x, ROW_NUMBER() OVER (ORDER BY x) AS n FROM github_repos',
    49,
    'x is a name of the select list, which only GROUP BY, HAVING and ORDER BY may use: repeat its expression',
  ],
  [
    'SELECT repo_id AS x, (SELECT COUNT(*) FROM mv_repo_stars s WHERE s.repo_id = x) AS n FROM github_repos',
    77,
    'there is no column x here',
  ],
  [
    'SELECT id FROM collections UNION SELECT repo_id FROM github_repos ORDER BY repo_id',
    75,
    'there is no column repo_id here',
  ],
  [
    'SELECT id, name FROM collections UNION SELECT repo_id FROM github_repos',
    33,
    'the sides of the UNION have 2 and 1 columns',
  ],
  [
    'SELECT id FROM collections WHERE id = (SELECT id, name FROM collections)',
    46,
    'the subquery returns 2 columns here; expected: 1',
  ],
  [
    'SELECT id FROM collections WHERE id = (SELECT * FROM collections)',
    53,
    'the subquery returns 3 columns here; expected: 1',
  ],
  [
    'SELECT id FROM collections WHERE (id, name) IN (SELECT id FROM collections)',
    55,
    'the subquery returns 1 columns here; expected: 2',
  ],
  ["SELECT id FROM collections WHERE (id, name) IN ((1, 'a', 2))", 0, 'rows of 2 and 3 values are compared'],
  [
    'SELECT id FROM collections WHERE (id, name) = (SELECT id, name FROM collections)',
    54,
    'rows of 2 and 1 values are compared',
  ],
  ['SELECT (1, 2) < (1, 3)', 0, 'a row of values is allowed only with = and IN'],
  ['SELECT (id, name) FROM collections', 8, 'a row of values is allowed only with = and IN'],
  ['SELECT MAX((id, name)) FROM collections', 12, 'a row of values is allowed only with = and IN'],
  ['SELECT id FROM collections ORDER BY (id, name)', 37, 'a row of values is allowed only with = and IN'],
  ['SELECT COUNT(*) FROM collections GROUP BY (id, name)', 43, 'a row of values is allowed only with = and IN'],
  ['SELECT COUNT((id, name)) FROM collections', 14, 'a row of values is allowed only with = and IN'],
  ['SELECT id FROM collections WHERE (id, name) IS NULL', 34, 'a row of values is allowed only with = and IN'],
  [
    'SELECT id FROM collections WHERE ((id, name), 1) = ((1, 2), 1)',
    35,
    'a row of values is allowed only with = and IN',
  ],
  ['SELECT CONCAT(*) FROM collections', 14, '* is allowed only as a column of the select list and in COUNT(*)'],
  [
    'SELECT COALESCE(collections.*) FROM collections',
    28,
    '* is allowed only as a column of the select list and in COUNT(*)',
  ],
  [
    'SELECT COUNT(collections.*) FROM collections',
    25,
    '* is allowed only as a column of the select list and in COUNT(*)',
  ],
  ['SELECT GREATEST(*) FROM collections', 16, '* is allowed only as a column of the select list and in COUNT(*)'],
  ['SELECT id FROM collections ORDER BY *', 36, '* is allowed only as a column of the select list and in COUNT(*)'],
  ['SELECT x.* FROM collections', 7, 'FROM has no table with the name x'],
  ['SELECT *', 0, '* needs a FROM'],
  [
    'SELECT id FROM collections a NATURAL JOIN collections b JOIN collections c',
    7,
    'the column id is ambiguous: write c.id',
  ],
  [
    'SELECT id FROM collections a JOIN collection_items b USING (idd)',
    60,
    'a table of this JOIN has no column idd (did you mean "id"?)',
  ],
  [
    'SELECT * FROM (SELECT a.*, b.* FROM collections a JOIN collections b ON a.id = b.id) t',
    74,
    'two columns of a derived table have the name id',
  ],
  ['WITH w (a) AS (SELECT id, name FROM collections) SELECT a FROM w', 5, 'w names 1 columns of a query that has 2'],
  [
    'WITH w (a, A) AS (SELECT id, name FROM collections) SELECT a FROM w',
    8,
    'two columns of a derived table have the name A',
  ],
  [
    'SELECT 1 FROM collections a, collections b JOIN collections c ON a.id = c.id',
    65,
    'FROM has no table with the name a',
  ],
  [
    'SELECT a FROM (SELECT 1 AS x) a JOIN (SELECT 2 AS y) b ON CONCAT(a) = 1 JOIN (SELECT 3 AS a) c',
    65,
    'a is a table, not a column',
  ],
  [
    "SELECT LENGTH(r.repo_name), 't', t FROM github_repos r JOIN collections t LIMIT 5, 10",
    33,
    't is a table, not a column',
  ],
  ["SELECT '😀', t FROM github_repos t", 13, 't is a table, not a column'],
];

/**
 * SQL that creates or changes a text without a maximum length. Each has the text, the position that the rejection
 * reports, and the reason.
 */
export const UNBOUNDED_TEXTS: readonly (readonly [string, number, string])[] = [
  [
    "SELECT CONCAT(LAG(g) OVER (ORDER BY repo_id), 'a') FROM (SELECT repo_id, GROUP_CONCAT(actor_login) AS g FROM github_events GROUP BY repo_id) t",
    21,
    'OVER gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    'SELECT FIRST_VALUE(g) OVER (ORDER BY repo_id) FROM (SELECT repo_id, GROUP_CONCAT(actor_login) AS g FROM github_events GROUP BY repo_id) t',
    22,
    'OVER gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    'SELECT MAX(CHAR_LENGTH(UPPER(t.g))) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r',
    29,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    "SELECT COUNT(*) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r WHERE t.g LIKE '%a%b%'",
    114,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT(MAX(g), 'a') FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t",
    7,
    'CONCAT gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    'SELECT UPPER(x) FROM (SELECT t.g AS x FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r) u',
    13,
    'x is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT UPPER(g) FROM (SELECT * FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r) u',
    13,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    "SELECT UPPER(g) FROM (SELECT 'a' AS g UNION ALL SELECT t.g FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r) u",
    13,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'WITH w (a, b) AS (SELECT t.g, 1 FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r) SELECT REVERSE(a) FROM w',
    140,
    'a is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    "WITH w AS (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) SELECT REPLACE(w.g, 'a', 'bb') FROM w JOIN w AS v",
    84,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT UPPER((SELECT GROUP_CONCAT(actor_login) FROM github_events)) FROM github_repos',
    34,
    'this subquery is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT (SELECT CHAR_LENGTH(UPPER(t.g)) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t WHERE CHAR_LENGTH(t.g) > r.repo_id) FROM github_repos r',
    33,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT g FROM (SELECT t.g FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r) u GROUP BY g',
    130,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT g FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r ORDER BY g',
    110,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT GROUP_CONCAT(t.g) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r',
    20,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT JSON_ARRAYAGG(g) FROM (SELECT JSON_ARRAYAGG(actor_login) AS g FROM github_events) t',
    7,
    'JSON_ARRAYAGG gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    'SELECT r.repo_id, MAX(t.g) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r GROUP BY r.repo_id',
    22,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    "SELECT REGEXP_REPLACE(REGEXP_REPLACE(description, 'x*', 'yyyyy'), 'x*', 'yyyyy') FROM github_repos",
    7,
    'REGEXP_REPLACE may return a text of 18474 characters; at most 16384 are allowed',
  ],
  [
    "SELECT CONCAT(IF(1, t.g, ''), 'a') FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t",
    7,
    'CONCAT gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT(COALESCE(t.g, ''), 'a') FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t",
    7,
    'CONCAT gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT(CASE WHEN 1 THEN t.g END, 'a') FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t",
    7,
    'CONCAT gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT(CAST(t.g AS CHAR), 'a') FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t",
    7,
    'CONCAT gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT(g, 'a') FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t JOIN (SELECT 'a' AS g) u USING (g)",
    14,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT(g, g) FROM (SELECT 'a' AS g UNION ALL SELECT GROUP_CONCAT(actor_login) FROM github_events) t",
    7,
    'CONCAT gets a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    'SELECT r.repo_id, t.g FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r GROUP BY r.repo_id',
    114,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT t.* FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r GROUP BY r.repo_id',
    103,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    'SELECT UPPER(g), UPPER(g), UPPER(g), UPPER(g), UPPER(g), UPPER(g), UPPER(g), UPPER(g), UPPER(g) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t',
    93,
    'more than 8 expressions change a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT('CONCAT', r.repo_id), CONCAT(t.g, 'a') FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r",
    43,
    'g is a text of GROUP_CONCAT or JSON_ARRAYAGG, which has no maximum length, and more than one row may contain it: truncate it with LEFT first',
  ],
  [
    "SELECT CONCAT(r.repo_id, 'a') AS a, CONCAT(LEFT(t.g, 16000), LEFT(t.g, 16000)) AS b FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t CROSS JOIN github_repos r",
    36,
    'CONCAT may return a text of 32000 characters; at most 16384 are allowed',
  ],
];
