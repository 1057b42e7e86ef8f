import { testBoundQueries, testExpressions, testQueries } from './query-tests.js';
import { TEXTS } from './tables.js';

/** Indexes into the list of texts, in the order of the UTF-8 bytes of the texts. */
const IN_ORDER = [11, 5, 7, 0, 4, 3, 1, 2, 6, 10, 8, 9];

describe('the dialect: text is compared by its exact bytes', () => {
  testExpressions('in expressions', [
    ["'x' = 'x ', 'x' <> 'x ', 'x' <=> 'x ', 'x' < 'x ', 'x ' > 'x\t', 'x' < 'x\t'", '0', '1', '0', '1', '1', '1'],
    ["'x' IN ('x ', 'X'), 'x ' NOT IN ('x'), 'x ' BETWEEN 'x' AND 'x'", '0', '1', '0'],
    ["CASE 'x' WHEN 'x ' THEN 1 ELSE 0 END, IF('x' = 'x ', 1, 0), NULLIF('x', 'x ')", '0', '0', 'x'],
    ["STRCMP('x', 'x '), STRCMP('x\t', 'x '), FIELD('x', 'x ', 'x'), FIND_IN_SET('x', 'x ,x')", '-1', '-1', '2', '2'],
    ["'x' LIKE 'x ', 'x ' LIKE 'x', 'x ' LIKE 'x_', 'x ' REGEXP 'x$'", '0', '0', '1', '0'],
    ["CONCAT('x') = 'x ', LOWER('X') = 'x ', REPLACE('x', 'y', 'z') = 'x ', LEFT('x ', 2) = 'x'", '0', '0', '0', '0'],
    ["TRIM('x ') = 'x', RTRIM('x ') = 'x', LTRIM(' x ') = 'x ', RPAD('x', 2, ' ') = 'x'", '1', '1', '1', '0'],
    [
      "REPLACE('x y', 'x ', ''), INSTR('x', 'x '), LOCATE('x ', 'x'), SUBSTRING_INDEX('x,', 'x ', 1)",
      'y',
      '0',
      '0',
      'x,',
    ],
    [
      "CAST('x' AS CHAR) = 'x ', CAST('x ' AS CHAR(1)) = 'x', CAST(12 AS CHAR) = '12 ', CONCAT(12) = '12 '",
      '0',
      '1',
      '0',
      '0',
    ],
    ["MD5('x') = CONCAT(MD5('x'), ' '), DATE_FORMAT('2020-01-31', '%Y') = '2020 '", '0', '0'],
    ["GREATEST('x', 'x\t'), LEAST('x ', 'x'), COALESCE(NULL, 'x') = 'x ', CHAR_LENGTH('x ')", 'x\t', 'x', '0', '2'],
    ["'\u00e9' = 'e\u0301', '\u00e9' = 'e', '\u{1f600}' = '\u{1f601}', '\uffff' < '\u{1f600}'", '0', '0', '0', '1'],
    [`JSON_VALUE('{"a":"x"}', '$.a') = 'x ', JSON_VALUE('{"a":1}', '$.a') = '1'`, '0', '1'],
  ]);

  testQueries('over rows', [
    [`SELECT i FROM texts m ORDER BY t`, IN_ORDER.map(String)],
    [`SELECT i FROM texts m ORDER BY t DESC`, IN_ORDER.map(String).reverse()],
    [`SELECT COUNT(DISTINCT t), COUNT(*) FROM texts m`, ['12 | 12']],
    [`SELECT COUNT(*) FROM (SELECT DISTINCT t FROM texts m) d`, ['12']],
    [`SELECT COUNT(*), MAX(n) FROM (SELECT t, COUNT(*) AS n FROM texts m GROUP BY t) g`, ['12 | 1']],
    [`SELECT COUNT(*) FROM (SELECT t FROM texts m UNION SELECT t FROM texts n) u`, ['12']],
    [`SELECT COUNT(*) FROM (SELECT t FROM texts m INTERSECT SELECT 'x ') u`, ['1']],
    [`SELECT COUNT(*) FROM (SELECT t FROM texts m EXCEPT SELECT 'x ') u`, ['11']],
    [`SELECT COUNT(*) FROM texts m JOIN texts n USING (t)`, ['12']],
    [`SELECT COUNT(*) FROM texts m JOIN texts n ON n.t = m.t`, ['12']],
    [`SELECT COUNT(*) FROM texts m LEFT JOIN texts n ON n.t = CONCAT(m.t, ' ') WHERE n.t IS NULL`, ['9']],
    [`SELECT i FROM texts m WHERE t IN (SELECT 'x ' AS y UNION ALL SELECT 'X') ORDER BY i`, ['1', '5']],
    [
      `SELECT i FROM texts m WHERE EXISTS (SELECT 1 FROM texts n WHERE n.t = CONCAT(m.t, ' ')) ORDER BY i`,
      ['0', '1', '8'],
    ],
    [`SELECT t, COUNT(*) FROM texts m GROUP BY t HAVING t = 'x '`, ['x  | 1']],
    [`SELECT MIN(t), MAX(t) FROM texts m WHERE t LIKE 'x%'`, ['x | x  ']],
    [`SELECT GROUP_CONCAT(DISTINCT t ORDER BY t SEPARATOR '|') FROM texts m WHERE i < 4`, ['x|x\t|x |x  ']],
    [
      `SELECT i, ROW_NUMBER() OVER (PARTITION BY t ORDER BY i) FROM texts m WHERE i < 3 ORDER BY i`,
      ['0 | 1', '1 | 1', '2 | 1'],
    ],
    [`SELECT i, RANK() OVER (ORDER BY t) FROM texts m WHERE i < 4 ORDER BY i`, ['0 | 1', '1 | 3', '2 | 4', '3 | 2']],
    [
      "WITH RECURSIVE r AS (SELECT CAST('x' AS CHAR(9)) AS t UNION SELECT CONCAT(t, ' ') FROM r WHERE CHAR_LENGTH(t) < 5) SELECT COUNT(*) FROM r",
      ['5'],
    ],
  ]);

  testQueries('over rows of literals', [
    ["SELECT COUNT(*) FROM (SELECT 'x' AS t UNION SELECT 'x ' UNION SELECT 'X' UNION SELECT 'x\t') u", ['4']],
    ["SELECT t FROM (SELECT 'x ' AS t UNION ALL SELECT 'x\t' UNION ALL SELECT 'x') u ORDER BY t", ['x', 'x\t', 'x ']],
    ["SELECT COUNT(DISTINCT t) FROM (SELECT 'x' AS t UNION ALL SELECT 'x ' UNION ALL SELECT 'x') u", ['2']],
    ["SELECT i FROM texts JOIN (SELECT 'x ' AS t UNION ALL SELECT 'e\u0301') u USING (t) ORDER BY i", ['1', '7']],
  ]);

  testQueries('in columns', [
    ["SELECT id FROM things WHERE name = 'trail'", []],
    ["SELECT id FROM things WHERE name = 'trail '", ['8']],
    ["SELECT id FROM things WHERE name IN ('trail', '')", ['5']],
    ["SELECT id FROM things WHERE name BETWEEN 'trail' AND 'trail'", []],
    ["SELECT t.id FROM things t JOIN (SELECT 'trail' AS name UNION ALL SELECT 'trail ') n USING (name)", ['8']],
    ["SELECT name FROM cities WHERE country = 'IT ' OR name = 'Oslo '", []],
  ]);

  testBoundQueries('in bound values', [
    ['SELECT :p1 = :p2, :p1 = :p3, :p1 < :p2, :p1 IN (:p2, :p3)', ['x', 'x ', 'X'], ['0 | 0 | 1 | 0']],
    ["SELECT :p1 = 'x ', :p1 = 'X', CONCAT(:p1) = 'x ', LOWER(:p1) = LOWER(:p2)", ['x', 'x '], ['0 | 0 | 0 | 0']],
    ['SELECT CASE :p1 WHEN :p2 THEN 1 ELSE 0 END, NULLIF(:p1, :p2), STRCMP(:p1, :p2)', ['x', 'X'], ['0 | x | 1']],
    ['SELECT COUNT(*) FROM (SELECT :p1 AS t UNION SELECT :p2 UNION SELECT :p3) u', ['x', 'x ', 'X'], ['3']],
    ['SELECT id FROM things WHERE name = :p1', ['trail'], []],
    ['SELECT id FROM things WHERE name = :p1', ['trail '], ['8']],
    ['SELECT id FROM things WHERE name = :p1', ['trail\t'], []],
    ['SELECT id FROM things WHERE name LIKE :p1', ['trail'], []],
    ...TEXTS.map((text, i) => ['SELECT i FROM texts WHERE t = :p1', [text], [String(i)]] as const),
  ]);
});
