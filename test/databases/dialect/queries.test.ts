import { testQueries } from './query-tests.js';

/** Complete SELECT statements over a small table. Every database returns the same rows. */
describe('the dialect: rows', () => {
  testQueries('reads rows', [
    ['SELECT DISTINCT person FROM visits ORDER BY person', ['NULL', 'Ann', 'Bob', 'Cy', 'ann', 'bob']],
    ["SELECT id, person FROM visits WHERE person = 'ann' ORDER BY id", ['2 | ann']],
    ["SELECT id, person FROM visits WHERE LOWER(person) = LOWER('ANN') ORDER BY id", ['1 | Ann', '2 | ann']],
    ["SELECT id FROM visits WHERE BINARY person = 'ann'", ['2']],
    ['SELECT 1 FROM DUAL', ['1']],
    ['WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT 2.5) SELECT SUM(n) FROM t', ['3.5']],
    ['WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT SUM(n) FROM t', ['6']],
    [`SELECT JSON_CONTAINS('{"a": [1, 2]}', '2', '$.a'), JSON_CONTAINS('{"a": [1, 2]}', '3', '$.a')`, ['1 | 0']],
    [
      `SELECT j->>'$.n', j->>'$.s', j->>'$.z', COUNT(j->>'$.n') FROM (SELECT '{"n": null, "s": "x"}' AS j) t GROUP BY j`,
      ['null | x | NULL | 1'],
    ],
    ['SELECT GROUP_CONCAT(DISTINCT id / 3 ORDER BY id / 3) FROM visits WHERE id < 3', ['0.3333,0.6667']],
    [
      'SELECT GROUP_CONCAT(DISTINCT g ORDER BY g) FROM (SELECT 1e0 AS g UNION ALL SELECT 1e-7 UNION ALL SELECT 1e10) t',
      ['0.0000001,1,10000000000'],
    ],
    [
      `SELECT CONCAT(j -> '$.s', '!'), JSON_UNQUOTE(j->'$.s'), JSON_CONTAINS(j->'$.l', '2') FROM (SELECT '{"s": "x", "l": [1, 2]}' AS j) t`,
      ['"x"! | x | 1'],
    ],
    [
      'SELECT FROM_UNIXTIME(FLOOR(UNIX_TIMESTAMP(at) / 900) * 900), SEC_TO_TIME(id / 2 * 120) FROM visits WHERE id = 2',
      ['2020-01-06 23:45:00 | 00:02:00'],
    ],
    ['SELECT (((1, 3), 2)) IN (((1, 2), 6), ((1, 3), 2)), (((1, 3), 2)) = (((1, 3), 4))', ['1 | 0']],
    [
      'SELECT id FROM visits WHERE ((id, pages)) IN (SELECT 1, 3) OR ((id, pages)) = ANY (SELECT 2, 5) ORDER BY id',
      ['1', '2'],
    ],
    [
      "SELECT CAST(MAX(t) AS TIME), SEC_TO_TIME(86399.5), YEAR('2024-01-05  10:11:12'), DATE_ADD(20240105, INTERVAL 1 DAY) FROM (SELECT TIME('10:11:12') AS t) x",
      ['10:11:12 | 23:59:59.500000 | 2024 | 2024-01-06'],
    ],
    ['SELECT JSON_ARRAY(7 / 3), JSON_ARRAYAGG(7 / 3) FROM visits WHERE id = 1', ['[2.3333] | [2.3333]']],
    [
      "SELECT CAST(person AS DECIMAL(5, 2)), CAST(s AS DECIMAL(5, 2)) FROM visits, (SELECT '12.5x' AS s) t WHERE id = 1",
      ['0.00 | 12.50'],
    ],
    [
      'SELECT (NULL, NULL) <=> (SELECT 1, 4 FROM visits WHERE FALSE), (1, NULL) <=> (SELECT 1, NULL), (1, 2) = (SELECT 1, 2 FROM visits WHERE FALSE)',
      ['1 | 1 | NULL'],
    ],
    ['SELECT 2 >= 3 IN (1, 1), 2 < 3 LIKE 1, 2 > 3 BETWEEN 1 AND 3, 1 BETWEEN 1 AND 3 IN (0, 1)', ['1 | 0 | 1 | 0']],
    ['SELECT 1 AS a, 3 AS b UNION SELECT 2, 1 ORDER BY a + b, a', ['2 | 1', '1 | 3']],
    ['SELECT id FROM visits WHERE (id, 1) = ANY (SELECT 2, 1 UNION SELECT 3, 2)', ['2']],
    [
      'SELECT (1, NULL) <> ALL (SELECT 1, 2), (1, 2) <> ALL (SELECT 2, NULL), (1, 2) <> ALL (SELECT 1, 2)',
      ['NULL | 1 | 0'],
    ],
    ['SELECT a.id, b.id FROM (visits AS a, visits AS b) WHERE a.id = 1 AND b.id = 2', ['1 | 2']],
    ['SELECT CONCAT(d), d FROM (SELECT CAST(-0.25 AS DECIMAL(2, 2)) AS d) t', ['-0.25 | -0.25']],
    ["SELECT INSERT('bb', 0, 1, NULL), INSERT('bb', 0, NULL, 'a'), INSERT('bb', 0, 1, 'a')", ['NULL | NULL | bb']],
    ["SELECT STR_TO_DATE('69-01-02', '%y-%m-%d'), STR_TO_DATE('70-01-02', '%y-%m-%d')", ['2069-01-02 | 1970-01-02']],
    ['SELECT id FROM visits USE INDEX (PRIMARY) WHERE id = 1', ['1']],
    ['SELECT * FROM (SELECT 1 AS a, 2 AS b) t JOIN (SELECT 3 AS c, 2 AS b) u USING (b)', ['2 | 1 | 3']],
    [
      'SELECT * FROM (SELECT 1 AS a, 2 AS b) t LEFT JOIN (SELECT 3 AS c, 2 AS b) u USING (b) JOIN (SELECT 4 AS d, 1 AS a) v USING (a)',
      ['1 | 2 | 3 | 4'],
    ],
    ['SELECT id FROM visits ORDER BY pages, id', ['3', '6', '5', '1', '2', '4']],
    ['SELECT id FROM visits ORDER BY pages DESC, id DESC', ['4', '2', '1', '5', '6', '3']],
    ['SELECT id FROM visits ORDER BY city, id', ['4', '6', '3', '5', '1', '2']],
    ['SELECT id FROM visits WHERE pages ORDER BY id', ['1', '2', '4', '5']],
    ['SELECT id FROM visits WHERE NOT pages ORDER BY id', ['6']],
    ['SELECT id FROM visits WHERE price AND rate ORDER BY id', ['1', '2', '5']],
    ["SELECT id FROM visits WHERE day >= '2020-02-01' ORDER BY id", ['4', '5']],
    ["SELECT id FROM visits WHERE day BETWEEN '2020-01-06' AND '2020-02-29' ORDER BY id", ['2', '3', '4']],
    ["SELECT id FROM visits WHERE day IN ('2020-01-05', '2020-03-01') ORDER BY id", ['1', '5']],
    ["SELECT id FROM visits WHERE at > '2020-01-31' ORDER BY id", ['4', '5']],
    ["SELECT id FROM visits WHERE at < '2020-01-06 23:59:59' ORDER BY id", ['1']],
    ["SELECT id FROM visits WHERE day > '2020-01-05 12:00:00' ORDER BY id", ['2', '3', '4', '5']],
    [
      "SELECT id FROM visits WHERE DATE(at) = day AND day = DATE_FORMAT(at, '%Y-%m-%d') ORDER BY id",
      ['1', '2', '3', '4', '5'],
    ],
    ["SELECT id FROM visits WHERE day >= DATE_SUB('2020-03-01', INTERVAL 1 MONTH) ORDER BY id", ['4', '5']],
    ["SELECT id FROM visits WHERE day >= '2020-03-01' - INTERVAL 1 DAY ORDER BY id", ['4', '5']],
    [
      'SELECT day + INTERVAL 1 MONTH, at + INTERVAL 1 DAY, day + INTERVAL 1 HOUR, DATE_SUB(day, INTERVAL 1 WEEK) FROM visits ORDER BY id',
      [
        '2020-02-05 | 2020-01-06 10:00:00 | 2020-01-05 01:00:00 | 2019-12-29',
        '2020-02-06 | 2020-01-07 23:59:59 | 2020-01-06 01:00:00 | 2019-12-30',
        '2020-02-29 | 2020-02-01 00:00:00 | 2020-01-31 01:00:00 | 2020-01-24',
        '2020-03-29 | 2020-03-01 12:30:00 | 2020-02-29 01:00:00 | 2020-02-22',
        '2020-04-01 | 2020-03-02 08:00:00 | 2020-03-01 01:00:00 | 2020-02-23',
        'NULL | NULL | NULL | NULL',
      ],
    ],
    [
      'SELECT pages / 2, pages DIV 2, pages % 2, price / 3, price * pages, pages * 100 / 7, rate / 3, price DIV 2 FROM visits ORDER BY id',
      [
        '1.5000 | 1 | 1 | 0.500000 | 4.50 | 42.8571 | 0.03333333333333333 | 0',
        '2.5000 | 2 | 1 | 0.750000 | 11.25 | 71.4286 | 0.06666666666666667 | 1',
        'NULL | NULL | NULL | NULL | NULL | NULL | 0.09999999999999999 | NULL',
        '3.5000 | 3 | 1 | 3.333333 | 70.00 | 100.0000 | NULL | 5',
        '0.5000 | 0 | 1 | 0.330000 | 0.99 | 14.2857 | 0.6666666666666666 | 0',
        '0.0000 | 0 | 0 | 0.000000 | 0.00 | 0.0000 | 0.5 | 0',
      ],
    ],
    [
      'SELECT ROUND(price, 1), ROUND(rate, 0), TRUNCATE(price, 1), ROUND(pages / 3, 2), CEIL(price), FLOOR(price) FROM visits ORDER BY id',
      [
        '1.5 | 0 | 1.5 | 1.00 | 2 | 1',
        '2.3 | 0 | 2.2 | 1.67 | 3 | 2',
        'NULL | 0 | NULL | NULL | NULL | NULL',
        '10.0 | NULL | 10.0 | 2.33 | 10 | 10',
        '1.0 | 2 | 0.9 | 0.33 | 1 | 0',
        '0.0 | 2 | 0.0 | 0.00 | 0 | 0',
      ],
    ],
    [
      "SELECT IFNULL(person, 'none'), IFNULL(pages, 'none'), IFNULL(day, ''), COALESCE(city, person, '?'), IF(pages > 2, pages, 'few') FROM visits ORDER BY id",
      [
        'Ann | 3 | 2020-01-05 | Rome | 3',
        'ann | 5 | 2020-01-06 | rome | 5',
        'Bob | none | 2020-01-31 | Oslo | few',
        'bob | 7 | 2020-02-29 | bob | 7',
        'none | 1 | 2020-03-01 | Oslo | few',
        'Cy | 0 |  | Lima | few',
      ],
    ],
    [
      "SELECT CONCAT(person, ' ', pages), CONCAT_WS('-', person, city, pages), CONCAT(price), CONCAT(day, at) FROM visits ORDER BY id",
      [
        'Ann 3 | Ann-Rome-3 | 1.50 | 2020-01-052020-01-05 10:00:00',
        'ann 5 | ann-rome-5 | 2.25 | 2020-01-062020-01-06 23:59:59',
        'NULL | Bob-Oslo | NULL | 2020-01-312020-01-31 00:00:00',
        'bob 7 | bob-7 | 10.00 | 2020-02-292020-02-29 12:30:00',
        'NULL | Oslo-1 | 0.99 | 2020-03-012020-03-01 08:00:00',
        'Cy 0 | Cy-Lima-0 | 0.00 | NULL',
      ],
    ],
    [
      'SELECT v.id, c.country FROM visits v JOIN cities c ON c.name = v.city ORDER BY v.id',
      ['1 | IT', '3 | NO', '5 | NO'],
    ],
    [
      'SELECT v.id, c.country FROM visits v LEFT JOIN cities c ON c.name = v.city AND c.people > 1000000 ORDER BY v.id',
      ['1 | IT', '2 | NULL', '3 | NULL', '4 | NULL', '5 | NULL', '6 | NULL'],
    ],
    [
      'SELECT id FROM visits v WHERE EXISTS (SELECT 1 FROM cities c WHERE c.name = v.city) ORDER BY id',
      ['1', '3', '5'],
    ],
    [
      'SELECT id, (SELECT country FROM cities c WHERE c.name = v.city) FROM visits v ORDER BY id',
      ['1 | IT', '2 | NULL', '3 | NO', '4 | NULL', '5 | NO', '6 | NULL'],
    ],
    ['SELECT id FROM visits ORDER BY id LIMIT 2, 3', ['3', '4', '5']],
    ['SELECT id FROM visits ORDER BY id LIMIT 3 OFFSET 2', ['3', '4', '5']],
    ["SELECT id FROM visits ORDER BY FIELD(city, 'Lima', 'Oslo') DESC, id", ['3', '5', '6', '1', '2', '4']],
    ["SELECT id FROM visits ORDER BY city IS NULL, city = 'Oslo' DESC, id", ['3', '5', '1', '2', '6', '4']],
    [
      'SELECT YEAR(day), QUARTER(day), WEEK(day, 1), YEARWEEK(day), DAYOFWEEK(day), WEEKDAY(day), LAST_DAY(day), DAYNAME(at), HOUR(at) FROM visits ORDER BY id',
      [
        '2020 | 1 | 1 | 202001 | 1 | 6 | 2020-01-31 | Sunday | 10',
        '2020 | 1 | 2 | 202001 | 2 | 0 | 2020-01-31 | Monday | 23',
        '2020 | 1 | 5 | 202004 | 6 | 4 | 2020-01-31 | Friday | 0',
        '2020 | 1 | 9 | 202008 | 7 | 5 | 2020-02-29 | Saturday | 12',
        '2020 | 1 | 9 | 202009 | 1 | 6 | 2020-03-31 | Sunday | 8',
        'NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL',
      ],
    ],
    ["SELECT id FROM visits WHERE person LIKE 'a%' OR city LIKE '_slo' ORDER BY id", ['2', '3', '5']],
    [
      "SELECT id FROM visits WHERE LOWER(person) LIKE 'a%' OR UPPER(city) LIKE '_SLO' ORDER BY id",
      ['1', '2', '3', '5'],
    ],
    ["SELECT id FROM visits WHERE person REGEXP '^(ann|Cy)$' ORDER BY id", ['2', '6']],
    ["SELECT id FROM visits WHERE LOWER(person) REGEXP '^(ann|cy)$' ORDER BY id", ['1', '2', '6']],
    [
      'SELECT STD(pages), STDDEV(pages), STDDEV_SAMP(pages), VARIANCE(pages), VAR_SAMP(pages), BIT_OR(pages) FROM visits',
      ['2.5612496949731396 | 2.5612496949731396 | 2.8635642126552705 | 6.56 | 8.2 | 7'],
    ],
    [
      'SELECT DISTINCT city, person FROM visits ORDER BY city, person',
      ['NULL | bob', 'Lima | Cy', 'Oslo | NULL', 'Oslo | Bob', 'Rome | Ann', 'rome | ann'],
    ],
    ['SELECT * FROM cities ORDER BY name', ['Bern | CH | 130000', 'Oslo | NO | 700000', 'Rome | IT | 2800000']],
    [
      'SELECT c.*, 1 + 1 FROM cities c ORDER BY c.people',
      ['Bern | CH | 130000 | 2', 'Oslo | NO | 700000 | 2', 'Rome | IT | 2800000 | 2'],
    ],
    ['SELECT visits.id FROM visits STRAIGHT_JOIN cities ON cities.name = visits.city ORDER BY id', ['1', '3', '5']],
    ['SELECT id FROM visits USE INDEX (PRIMARY) WHERE id < 3 ORDER BY id', ['1', '2']],
    [
      'SELECT a.id, b.id FROM visits a JOIN visits b ON LOWER(a.person) = LOWER(b.person) AND a.id < b.id ORDER BY a.id',
      ['1 | 2', '3 | 4'],
    ],
    [
      "SELECT GREATEST(pages, 2), LEAST(price, 2.00), NULLIF(pages, 3), GREATEST(day, '2020-01-15'), LEAST(at, '2020-02-01') FROM visits ORDER BY id",
      [
        '3 | 1.50 | NULL | 2020-01-15 | 2020-01-05 10:00:00',
        '5 | 2.00 | 5 | 2020-01-15 | 2020-01-06 23:59:59',
        'NULL | NULL | NULL | 2020-01-31 | 2020-01-31 00:00:00',
        '7 | 2.00 | 7 | 2020-02-29 | 2020-02-01 00:00:00',
        '2 | 0.99 | 1 | 2020-03-01 | 2020-02-01 00:00:00',
        '2 | 0.00 | 0 | NULL | NULL',
      ],
    ],
    [
      "SELECT SUBSTRING_INDEX(CONCAT(person, '/', city), '/', -1), LEFT(person, 1), UPPER(city), LENGTH(person), LPAD(pages, 3, '0') FROM visits ORDER BY id",
      [
        'Rome | A | ROME | 3 | 003',
        'rome | a | ROME | 3 | 005',
        'Oslo | B | OSLO | 3 | NULL',
        'NULL | b | NULL | 3 | 007',
        'NULL | NULL | OSLO | NULL | 001',
        'Lima | C | LIMA | 2 | 000',
      ],
    ],
    ["SELECT person, pages FROM visits WHERE (person, pages) IN (('ann', 5), ('cy', 0)) ORDER BY id", ['ann | 5']],
    ["SELECT id FROM visits WHERE price > 1 AND price < '2.5' ORDER BY id", ['1', '2']],
    [
      `SELECT JSON_EXTRACT('{"a": {"b": [1, 2]}}', '$.a.b[1]'), JSON_UNQUOTE(JSON_EXTRACT('{"a": "x"}', '$.a')), JSON_LENGTH('[1, 2, 3]'), JSON_LENGTH('{"a": 1}'), JSON_LENGTH('3'), JSON_VALID('{'), JSON_VALID('{}')`,
      ['2 | x | 3 | 1 | 1 | 0 | 1'],
    ],
    [
      `SELECT JSON_VALID('{"a": [0,]}'), JSON_VALID('{"a": 1,}'), JSON_VALID('[NaN]'), JSON_VALID('[-Infinity]'), JSON_VALID('["a,]", null, "NaN"]'), JSON_VALID(NULL)`,
      ['0 | 0 | 0 | 0 | 1 | NULL'],
    ],
    ['SELECT `COUNT(*)`, `MAX(id)` FROM (SELECT COUNT(*), MAX(id) FROM visits) AS t WHERE `COUNT(*)` > 0', ['6 | 6']],
    [
      `SELECT JSON_CONTAINS('[1, 2]', '1'), JSON_CONTAINS('[1, 2]', '3'), JSON_EXTRACT('{"a": 1}', '$.z'), JSON_VALUE('{"a": "x"}', '$.a')`,
      ['1 | 0 | NULL | x'],
    ],
    [
      `SELECT JSON_EXTRACT('{"a": 1, "b": 2}', '$.a', '$.c'), JSON_EXTRACT('{"a": 1}', '$.b', '$.c'), JSON_EXTRACT(NULL, '$.a', '$.b'), JSON_LENGTH(JSON_EXTRACT('{"a": 1, "b": null}', '$.a', '$.b', '$.c')), JSON_VALUE(JSON_EXTRACT('{"a": "x", "b": "y"}', '$.a', '$.b'), '$[1]')`,
      ['[1] | NULL | NULL | 2 | y'],
    ],
    [
      `SELECT d ->> '$.a', t.d->>"$.a", t.d -> '$.a', \`t\`.\`d\` ->> '$.b.c', LENGTH(d ->> '$.a') FROM (SELECT '{"a": "x", "b": {"c": 5}}' AS d) t`,
      ['x | x | "x" | 5 | 1'],
    ],
    [
      `SELECT d ->> '$.a' = 'x', CONCAT(d ->> '$.a', 'y'), d ->> '$.z' FROM (SELECT '{"a": "x", "b": 5}' AS d) t WHERE d ->> '$.b' = 5 AND UPPER(d ->> '$.a') IN ('X')`,
      ['1 | xy | NULL'],
    ],
  ]);
});
