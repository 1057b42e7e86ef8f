import { testQueries } from './query-tests.js';

/** Complete SELECT statements over a small table. Every database returns the same rows. */
describe('the dialect: groups and windows', () => {
  testQueries('groups and combines rows', [
    [
      'SELECT person, COUNT(*) FROM visits GROUP BY person ORDER BY person',
      ['NULL | 1', 'Ann | 1', 'Bob | 1', 'Cy | 1', 'ann | 1', 'bob | 1'],
    ],
    [
      'SELECT COUNT(DISTINCT person), COUNT(DISTINCT LOWER(person)), COUNT(person), COUNT(DISTINCT person, city), COUNT(DISTINCT LOWER(person), LOWER(city)), COUNT(DISTINCT pages) FROM visits',
      ['5 | 3 | 5 | 4 | 3 | 5'],
    ],
    [
      'SELECT LOWER(person) p, SUM(pages), AVG(pages), MIN(price), MAX(day), SUM(price), AVG(price), AVG(rate) FROM visits GROUP BY p ORDER BY p',
      [
        'NULL | 1 | 1.0000 | 0.99 | 2020-03-01 | 0.99 | 0.990000 | 2',
        'ann | 8 | 4.0000 | 1.50 | 2020-01-06 | 3.75 | 1.875000 | 0.15000000000000002',
        'bob | 7 | 7.0000 | 10.00 | 2020-02-29 | 10.00 | 10.000000 | 0.3',
        'cy | 0 | 0.0000 | 0.00 | NULL | 0.00 | 0.000000 | 1.5',
      ],
    ],
    [
      "SELECT SUM(person = 'ann'), SUM(pages > 2), COUNT(pages > 2 OR NULL), AVG(pages > 2) FROM visits",
      ['1 | 3 | 3 | 0.6000'],
    ],
    [
      "SELECT DATE_FORMAT(day, '%Y-%m-01') AS month, COUNT(*) n, SUM(pages) / COUNT(*) FROM visits GROUP BY month ORDER BY month",
      ['NULL | 1 | 0.0000', '2020-01-01 | 3 | 2.6667', '2020-02-01 | 1 | 7.0000', '2020-03-01 | 1 | 1.0000'],
    ],
    [
      "SELECT DATE_FORMAT(day, '%Y-%m') m, MAX(at) FROM visits GROUP BY 1 HAVING m > '2020-01' ORDER BY 1",
      ['2020-02 | 2020-02-29 12:30:00', '2020-03 | 2020-03-01 08:00:00'],
    ],
    ['SELECT city, COUNT(*) n FROM visits GROUP BY city HAVING n > 1 ORDER BY n DESC, city', ['Oslo | 2']],
    [
      'SELECT LOWER(city) c, COUNT(*) n FROM visits GROUP BY c HAVING n > 1 ORDER BY n DESC, c',
      ['oslo | 2', 'rome | 2'],
    ],
    [
      'SELECT city, SUM(pages) s FROM visits GROUP BY city HAVING SUM(pages) > 1 AND city IS NOT NULL ORDER BY s DESC',
      ['rome | 5', 'Rome | 3'],
    ],
    [
      "SELECT GROUP_CONCAT(id ORDER BY id DESC), GROUP_CONCAT(person ORDER BY id SEPARATOR '; '), GROUP_CONCAT(pages) FROM visits WHERE id < 4",
      ['3,2,1 | Ann; ann; Bob | 3,5'],
    ],
    [
      "SELECT GROUP_CONCAT(DISTINCT city ORDER BY city), GROUP_CONCAT(DISTINCT person ORDER BY person DESC SEPARATOR '|') FROM visits WHERE id > 2",
      ['Lima,Oslo | bob|Cy|Bob'],
    ],
    [
      "SELECT GROUP_CONCAT(person, '/', city ORDER BY city DESC, id) FROM visits",
      ['ann/rome,Ann/Rome,Bob/Oslo,Cy/Lima'],
    ],
    ['SELECT GROUP_CONCAT(person) FROM visits WHERE id > 100', ['NULL']],
    [
      'SELECT GROUP_CONCAT(DISTINCT person), GROUP_CONCAT(DISTINCT person ORDER BY person), GROUP_CONCAT(DISTINCT person ORDER BY id) FROM visits WHERE id > 100',
      ['NULL | NULL | NULL'],
    ],
    [
      "SELECT GROUP_CONCAT(DISTINCT NULLIF(id, id) ORDER BY id), GROUP_CONCAT(DISTINCT '' ORDER BY id) FROM visits",
      ['NULL | '],
    ],
    ['SELECT GROUP_CONCAT(DISTINCT pages ORDER BY pages DESC) FROM visits', ['7,5,3,1,0']],
    [
      "SELECT GROUP_CONCAT(DISTINCT a, b ORDER BY a) FROM (SELECT '1' AS a, '22' AS b UNION ALL SELECT '12', '2' UNION ALL SELECT '1', '22' UNION ALL SELECT NULL, 'x') t",
      ['122,122'],
    ],
    [
      'SELECT DATEDIFF(MAX(day), MIN(day)), TIMESTAMPDIFF(HOUR, MIN(at), MAX(at)), UNIX_TIMESTAMP(MIN(at)) FROM visits',
      ['56 | 1342 | 1578218400'],
    ],
    [
      'SELECT ROUND(SUM(pages) / SUM(price) * 100, 2), SUM(pages) / 7 * 3, (SUM(pages) - COUNT(*)) / COUNT(*) * 100 FROM visits',
      ['108.55 | 6.8571 | 166.6667'],
    ],
    [
      'SELECT c.name, COUNT(v.id) FROM visits v RIGHT JOIN cities c ON c.name = v.city GROUP BY c.name ORDER BY c.name',
      ['Bern | 0', 'Oslo | 2', 'Rome | 1'],
    ],
    [
      'SELECT c.name, c.people, SUM(v.pages) FROM cities c LEFT JOIN visits v ON v.city = c.name GROUP BY c.name ORDER BY c.people DESC',
      ['Rome | 2800000 | 3', 'Oslo | 700000 | 1', 'Bern | 130000 | NULL'],
    ],
    [
      'SELECT id, ROW_NUMBER() OVER (PARTITION BY person ORDER BY id), RANK() OVER (ORDER BY city), SUM(pages) OVER (ORDER BY id), LAG(pages, 1) OVER (ORDER BY id) FROM visits ORDER BY id',
      [
        '1 | 1 | 5 | 3 | NULL',
        '2 | 1 | 6 | 8 | 3',
        '3 | 1 | 3 | 8 | 5',
        '4 | 1 | 1 | 15 | NULL',
        '5 | 1 | 3 | 16 | 7',
        '6 | 1 | 2 | 16 | 1',
      ],
    ],
    [
      'SELECT id, AVG(pages) OVER (PARTITION BY city), SUM(pages) OVER w, FIRST_VALUE(id) OVER w FROM visits WINDOW w AS (PARTITION BY city ORDER BY id) ORDER BY id',
      [
        '1 | 3.0000 | 3 | 1',
        '2 | 5.0000 | 5 | 2',
        '3 | 1.0000 | NULL | 3',
        '4 | 7.0000 | 7 | 4',
        '5 | 1.0000 | 1 | 3',
        '6 | 0.0000 | 0 | 6',
      ],
    ],
    [
      'SELECT id, SUM(pages) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING), NTILE(2) OVER (ORDER BY id), DENSE_RANK() OVER (ORDER BY pages), LEAD(id) OVER (ORDER BY id DESC) FROM visits ORDER BY id',
      [
        '1 | 8 | 1 | 4 | NULL',
        '2 | 8 | 1 | 5 | 1',
        '3 | 12 | 1 | 1 | 2',
        '4 | 8 | 2 | 6 | 3',
        '5 | 8 | 2 | 3 | 4',
        '6 | 1 | 2 | 2 | 5',
      ],
    ],
    [
      'SELECT city, SUM(pages), SUM(SUM(pages)) OVER (ORDER BY city), RANK() OVER (ORDER BY SUM(pages) DESC) FROM visits GROUP BY city ORDER BY city',
      ['NULL | 7 | 7 | 1', 'Lima | 0 | 7 | 5', 'Oslo | 1 | 8 | 4', 'Rome | 3 | 11 | 3', 'rome | 5 | 16 | 2'],
    ],
    [
      'SELECT person, RANK() OVER (ORDER BY person) FROM visits ORDER BY id',
      ['Ann | 2', 'ann | 5', 'Bob | 3', 'bob | 6', 'NULL | 1', 'Cy | 4'],
    ],
    [
      "WITH RECURSIVE d AS (SELECT DATE('2020-01-30') AS day UNION ALL SELECT day + INTERVAL 1 DAY FROM d WHERE day < '2020-02-02') SELECT d.day, COUNT(v.id) FROM d LEFT JOIN visits v ON v.day = d.day GROUP BY d.day ORDER BY d.day",
      ['2020-01-30 | 0', '2020-01-31 | 1', '2020-02-01 | 0', '2020-02-02 | 0'],
    ],
    [
      'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT GROUP_CONCAT(i), SUM(i) FROM n',
      ['1,2,3,4,5 | 15'],
    ],
    [
      'WITH a AS (SELECT LOWER(city) city, SUM(pages) s FROM visits GROUP BY LOWER(city)), b(x) AS (SELECT MAX(s) FROM a) SELECT city FROM a, b WHERE s = x',
      ['rome'],
    ],
    ['SELECT person FROM visits UNION SELECT name FROM cities ORDER BY person LIMIT 3', ['NULL', 'Ann', 'Bern']],
    [
      '(SELECT id FROM visits ORDER BY id LIMIT 2) UNION ALL (SELECT id FROM visits ORDER BY id DESC LIMIT 1) ORDER BY id DESC LIMIT 2 OFFSET 1',
      ['2', '1'],
    ],
    ["SELECT COUNT(*) FROM (SELECT 'a' AS x UNION SELECT 'A') t", ['2']],
    ['SELECT 1 AS n UNION ALL SELECT 1 UNION SELECT 2 ORDER BY n', ['1', '2']],
    ["SELECT COUNT(*) FROM (SELECT LOWER('a') AS x UNION SELECT LOWER('A')) t", ['1']],
    [
      'SELECT id FROM visits WHERE id IN (SELECT MAX(id) FROM visits GROUP BY city) ORDER BY id',
      ['1', '2', '4', '5', '6'],
    ],
    [
      'SELECT t.city, t.n FROM (SELECT city, COUNT(*) n FROM visits GROUP BY city) t WHERE t.n > 1 ORDER BY t.n DESC, t.city',
      ['Oslo | 2'],
    ],
    [
      "SELECT CASE WHEN pages > 4 THEN 'many' WHEN pages IS NULL THEN 'unknown' ELSE 'few' END k, COUNT(*) FROM visits GROUP BY k ORDER BY k",
      ['few | 3', 'many | 2', 'unknown | 1'],
    ],
    [
      'SELECT person, city, COUNT(*) FROM visits GROUP BY person, city ORDER BY 1, 2',
      ['NULL | Oslo | 1', 'Ann | Rome | 1', 'Bob | Oslo | 1', 'Cy | Lima | 1', 'ann | rome | 1', 'bob | NULL | 1'],
    ],
    [
      'SELECT YEAR(day) y, MONTH(day) m, COUNT(*) FROM visits GROUP BY YEAR(day), MONTH(day) ORDER BY y, m',
      ['NULL | NULL | 1', '2020 | 1 | 3', '2020 | 2 | 1', '2020 | 3 | 1'],
    ],
    ['SELECT MAX(person), MIN(person), MAX(city) FROM visits', ['bob | Ann | rome']],
    [
      'SELECT COUNT(*), SUM(pages), AVG(pages), MAX(pages), GROUP_CONCAT(pages), BIT_OR(pages) FROM visits WHERE id > 100',
      ['0 | NULL | NULL | NULL | NULL | 0'],
    ],
    [
      "SELECT SUM(IF(city = 'rome', pages, 0)), COUNT(IF(city = 'rome', 1, NULL)), SUM(CASE WHEN pages > 2 THEN 1 ELSE 0 END) / COUNT(*) FROM visits",
      ['5 | 1 | 0.5000'],
    ],
    ['SELECT city FROM visits GROUP BY city HAVING COUNT(DISTINCT person) > 1 ORDER BY city', []],
    ['SELECT LOWER(city) c FROM visits GROUP BY c HAVING COUNT(DISTINCT person) > 1', ['rome']],
    [
      'SELECT v.person, MAX(v.pages) FROM visits v GROUP BY v.person ORDER BY MAX(v.pages) DESC, v.person',
      ['bob | 7', 'ann | 5', 'Ann | 3', 'NULL | 1', 'Cy | 0', 'Bob | NULL'],
    ],
    ["SELECT CONCAT(SUM(pages), '/', COUNT(*)), CONCAT(AVG(pages)) FROM visits", ['16/6 | 3.2000']],
    [
      'SELECT city, MAX(pages) - MIN(pages), MAX(at) - INTERVAL 1 DAY FROM visits GROUP BY city ORDER BY city',
      [
        'NULL | 0 | 2020-02-28 12:30:00',
        'Lima | 0 | NULL',
        'Oslo | 0 | 2020-02-29 08:00:00',
        'Rome | 0 | 2020-01-04 10:00:00',
        'rome | 0 | 2020-01-05 23:59:59',
      ],
    ],
    ["SELECT COUNT(*) FROM visits WHERE city <> 'rome'", ['4']],
    ['SELECT COUNT(*) FROM visits WHERE city <=> NULL', ['1']],
    ["SELECT COUNT(*) FROM visits WHERE pages = '3' OR pages > '6'", ['2']],
    [
      "SELECT DATE_FORMAT(at, '%Y-%u') w, COUNT(DISTINCT person), SUM(price) FROM visits WHERE at IS NOT NULL GROUP BY w ORDER BY w",
      ['2020-01 | 1 | 1.50', '2020-02 | 1 | 2.25', '2020-05 | 1 | NULL', '2020-09 | 1 | 10.99'],
    ],
    [
      'SELECT MIN(day), MAX(day) + INTERVAL 1 DAY, COUNT(*) / DATEDIFF(MAX(day), MIN(day)) FROM visits',
      ['2020-01-05 | 2020-03-02 | 0.1071'],
    ],
    ['SELECT person p, COUNT(*) c FROM visits GROUP BY p ORDER BY c DESC, p LIMIT 2', ['NULL | 1', 'Ann | 1']],
    ['SELECT id, pages FROM visits WHERE pages = (SELECT MAX(pages) FROM visits)', ['4 | 7']],
  ]);
});
