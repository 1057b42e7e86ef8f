/** SQL that the guard must reject before it is sent to a database, and the reason. */
export const REJECTED_QUERIES: readonly (readonly [string, string])[] = [
  [
    'SELECT 999999999999999999999999999999999999999',
    'line 1, column 8: the number 999999999999999999999999999999999999999 has more than 38 digits',
  ],
  [
    'SELECT 99999999999999999999999999999999999999999999999999999999999999999',
    'line 1, column 8: the number 99999999999999999999999999999999999999999999999999999999999999999 has more than 38 digits',
  ],
  [
    'SELECT 1e400',
    'line 1, column 8: the number 1e400 is too large; the maximum of a DOUBLE is 1.7976931348623157e+308',
  ],
  [
    'SELECT 1e309 > 5',
    'line 1, column 8: the number 1e309 is too large; the maximum of a DOUBLE is 1.7976931348623157e+308',
  ],
  [
    'SELECT 1.8e308',
    'line 1, column 8: the number 1.8e308 is too large; the maximum of a DOUBLE is 1.7976931348623157e+308',
  ],
  [
    'SELECT 1.00000000000000000000000000000000000000000000000001',
    'line 1, column 8: the number 1.00000000000000000000000000000000000000000000000001 has more than 38 digits',
  ],
  [
    'SELECT 0.00000000000000000000000000000000000000000000000000000000000000000001',
    'line 1, column 8: the number 0.00000000000000000000000000000000000000000000000000000000000000000001 has more than 38 digits',
  ],
  [
    'SELECT 0.1234567890123456789012345678901234567890',
    'line 1, column 8: the number 0.1234567890123456789012345678901234567890 has more than 38 digits',
  ],
  [
    'SELECT COUNT(*) FROM collections WHERE id < 1e400',
    'line 1, column 45: the number 1e400 is too large; the maximum of a DOUBLE is 1.7976931348623157e+308',
  ],
  ['SELECT 1 AS `😀`', 'line 1, column 13: the name 😀 contains a character beyond U+FFFF, such as an emoji'],
  ["SELECT 1 AS '😀'", 'line 1, column 13: the name 😀 contains a character beyond U+FFFF, such as an emoji'],
  ['SELECT 1 AS "a😀b"', 'line 1, column 13: the name a😀b contains a character beyond U+FFFF, such as an emoji'],
  [
    'SELECT `😀` FROM collections',
    'line 1, column 8: the name 😀 contains a character beyond U+FFFF, such as an emoji',
  ],
  [
    'SELECT t.x FROM (SELECT 1 AS x) AS `😀`',
    'line 1, column 36: the name 😀 contains a character beyond U+FFFF, such as an emoji',
  ],
  [
    'WITH `😀` AS (SELECT 1 AS x) SELECT x FROM `😀`',
    'line 1, column 6: the name 😀 contains a character beyond U+FFFF, such as an emoji',
  ],
  [
    'WITH t (`😀`) AS (SELECT 1) SELECT * FROM t',
    'line 1, column 9: the name 😀 contains a character beyond U+FFFF, such as an emoji',
  ],
  ['SELECT 1 AS `a b`, 2 AS `a.b`, 3 AS `a/b`, 4 AS ``', 'line 1, column 49: an empty name is not allowed'],
  [
    'SELECT t.x FROM (SELECT 1 AS x) AS aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'line 1, column 8: FROM has no table with the name t',
  ],
  ["SELECT 'a' LIKE 'a' ESCAPE ''", 'line 1, column 21: ESCAPE must be one literal character'],
  [
    "SELECT 'a\nb', 'a\\tb', 'a\\\\b', 'a\\'b', \"a\\\"b\", 'a\\0b'",
    'line 1, column 1: a text contains a control character',
  ],
  ["SELECT 'a\\qb', 'a\\%b', 'a\\_b', '\\Z'", 'line 1, column 1: a text contains a control character'],
  [
    'SELECT `name` FROM collections ORDER BY "id" LIMIT 1',
    'line 1, column 32: a literal text in ORDER BY has no effect; name a column',
  ],
  ["SELECT N'abc', _utf8mb4'abc', x'41', 0x41, b'1', 0b1", 'line 1, column 1: INTRODUCER is not allowed here'],
  ["SELECT 0x41 + 0, x'41' = 'A', 0xff", 'line 1, column 1: The literal 0xff, which is not text, is not allowed here'],
  [
    "SELECT login REGEXP '((a?){30}){30}b' FROM github_users",
    'line 1, column 1: the counted repetitions of a pattern, such as {2,5}, may multiply to at most 100',
  ],
  [
    "SELECT REGEXP_SUBSTR(login, CONCAT('(a{30}', '){30}')) FROM github_users",
    'line 1, column 1: a pattern with counted repetitions must be one literal text',
  ],
  [
    'SELECT CRC32(REPEAT(login, 30)) FROM github_users',
    'line 1, column 8: CRC32 may return a text of 491520 characters; at most 16384 are allowed',
  ],
  ['SELECT QUOTE(5), ORD(5)', 'line 1, column 8: the function QUOTE is not allowed'],
  ["SELECT CHAR(65), ORD('a'), ASCII('é')", 'line 1, column 8: the function CHAR is not allowed'],
  ['SELECT \\N', "line 1, column 8: not SQL: Unexpected character: '\\'"],
  [
    'SELECT id FROM collections ORDER BY id LIMIT -1',
    'line 1, column 40: LIMIT must be a literal integer up to 2147483647',
  ],
  [
    'SELECT id FROM collections ORDER BY id LIMIT 1.5',
    'line 1, column 40: LIMIT must be a literal integer up to 2147483647',
  ],
  [
    'SELECT id FROM collections ORDER BY id LIMIT 1 OFFSET -1',
    'line 1, column 48: OFFSET must be a literal integer up to 2147483647',
  ],
  [
    "SELECT id FROM collections ORDER BY id LIMIT '1'",
    'line 1, column 40: LIMIT must be a literal integer up to 2147483647',
  ],
  [
    'SELECT id FROM collections ORDER BY id LIMIT 1+1',
    'line 1, column 40: LIMIT must be a literal integer up to 2147483647',
  ],
  [
    'SELECT id FROM collections ORDER BY id LIMIT ALL',
    'line 1, column 40: LIMIT must be a literal integer up to 2147483647',
  ],
  [
    'SELECT id FROM collections ORDER BY id FETCH FIRST 1 ROW ONLY',
    'line 1, column 40: FETCH in SELECT is not allowed here',
  ],
  ['SELECT TOP 1 id FROM collections', 'line 1, column 8: TOP in SELECT is not allowed here'],
  [
    "SELECT id FROM collections ORDER BY '1', id",
    'line 1, column 28: a literal text in ORDER BY has no effect; name a column',
  ],
  [
    'SELECT id FROM collections ORDER BY id NULLS FIRST',
    'line 1, column 40: NULLS FIRST in ORDER BY is not allowed here',
  ],
  [
    'SELECT id, name FROM collections HAVING id > 1 ORDER BY id',
    'line 1, column 34: HAVING without GROUP BY is not allowed here: Use WHERE, or a derived table with WHERE around it.',
  ],
  ['SELECT name, id FROM collections GROUP BY id, name WITH ROLLUP', 'line 1, column 1: ROLLUP is not allowed here'],
  ['SELECT 1 FROM collections c, collections c', 'line 1, column 42: two tables of one FROM have the name c'],
  [
    "SELECT DATE('2024-01-01') + INTERVAL '1:30' HOUR_MINUTE",
    'line 1, column 1: An INTERVAL of two units, or the function INTERVAL is not allowed here: Write one unit, such as INTERVAL 90 MINUTE.',
  ],
  [
    "SELECT STR_TO_DATE('2024-01-05', '%Y-%m-%d'), STR_TO_DATE('05/01/2024', '%d/%m/%Y'), STR_TO_DATE('x', '%Y'), STR_TO_DATE('2024-01', '%Y-%m')",
    'line 1, column 8: STR_TO_DATE with the format %Y, which has no complete date, is not allowed here',
  ],
  [
    "SELECT CAST('2024-01-01 10:11:12.987' AS DATETIME), CAST('2024-01-01 10:11:12.987' AS DATETIME(3)), CAST('2024-01-01 23:59:59.9' AS DATE)",
    'line 1, column 1: CAST(… AS DATETIME(3)) is not allowed here: Write 0 or 6 digits.',
  ],
  ['SELECT * FROM (SELECT 1, 1) t', 'line 1, column 23: two columns of a derived table have the name 1'],
  ['SELECT * FROM (SELECT 1 AS a, 2 AS a) t', 'line 1, column 28: two columns of a derived table have the name a'],
  ['SELECT t.a FROM (SELECT 1 AS a, 2 AS A) t', 'line 1, column 10: two columns of a derived table have the name A'],
  ['SELECT RAND(1)', 'line 1, column 8: RAND with 1 argument is not allowed here'],
  [
    'SELECT CAST(0.1 AS FLOAT) = 0.1, CAST(0.1 AS FLOAT), CAST(16777217 AS FLOAT)',
    'line 1, column 20: CAST(… AS FLOAT) is not allowed; write DOUBLE',
  ],
  ['SELECT 1 FROM collections c, (SELECT c.id AS x) d', 'line 1, column 38: FROM has no table with the name c'],
  [
    "SELECT STR_TO_DATE('2024-01', '%Y-%m')",
    'line 1, column 8: STR_TO_DATE with the format %Y-%m, which has no complete date, is not allowed here',
  ],
  ['SELECT x FROM (SELECT 1 AS y) t', 'line 1, column 8: there is no column x here'],
  ['SELECT TRUE, FALSE, NULL, UNKNOWN', 'line 1, column 27: there is no column UNKNOWN here'],
  [
    'SELECT id FROM collections a JOIN collections b ON a.id = b.id',
    'line 1, column 8: the column id is ambiguous: write a.id or b.id',
  ],
  [
    'SELECT id AS x FROM collections WHERE x = 1',
    'line 1, column 39: x is a name of the select list, which only GROUP BY, HAVING and ORDER BY may use: repeat its expression',
  ],
  [
    'SELECT id AS x, x + 1 AS y FROM collections WHERE id = 1',
    'line 1, column 17: x is a name of the select list, which only GROUP BY, HAVING and ORDER BY may use: repeat its expression',
  ],
  [
    'SELECT t.id_1 AS x FROM (SELECT a.*, b.* FROM collections a JOIN collections b ON a.id = b.id) t WHERE t.id = 1',
    'line 1, column 85: two columns of a derived table have the name id',
  ],
  [
    'SELECT 1 AS t,\n  MAX(CHAR_LENGTH(CONCAT(t, r.repo_id))) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t\nCROSS JOIN github_repos r',
    'line 2, column 26: t is a table, not a column',
  ],
  [
    'SELECT MAX(CHAR_LENGTH(CONCAT(t, r.repo_id))) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t\nCROSS JOIN github_repos r',
    'line 1, column 31: t is a table, not a column',
  ],
  [
    'SELECT\n MAX(CHAR_LENGTH(CONCAT((t.g, r.repo_id)))) FROM (SELECT GROUP_CONCAT(actor_login) AS g FROM github_events) t\nCROSS JOIN github_repos r',
    'line 2, column 26: a row of values is allowed only with = and IN',
  ],
];

/** SQL that fails on every database, but with different messages. */
export const FAILING_QUERIES: readonly string[] = [
  'SELECT 9223372036854775807 + 1',
  'SELECT -9223372036854775808 - 1',
  'SELECT 9223372036854775807 * 2',
  'SELECT ABS(-9223372036854775808)',
  'SELECT 1e308 * 10',
  'SELECT CAST(1e30 AS SIGNED)',
  'SELECT CAST(12345.678 AS DECIMAL(5,2))',
  'SELECT CAST(99999 AS DECIMAL(3,0))',
  'SELECT POW(10, 400)',
  'SELECT POW(0, -1), SQRT(-1), LN(0), LOG(-1), LOG2(0), EXP(1000)',
  'SELECT id FROM collections ORDER BY 5',
  'SELECT id FROM collections ORDER BY 0',
  'SELECT id FROM collections ORDER BY -1, id',
  'SELECT id FROM collections WHERE MAX(id) = 1',
  "SELECT DATE '2024-02-30'",
  "SELECT TIMESTAMP '2024-02-28 25:00:00'",
  "SELECT 'abc' REGEXP '['",
  'SELECT id FROM collections WHERE id = (SELECT id FROM collections)',
  'SELECT NTILE(0) OVER (ORDER BY id) FROM collections',
];
