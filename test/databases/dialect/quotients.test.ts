import { testQueries } from './query-tests.js';

/**
 * In calculations, a quotient has more digits than the database displays. Comparisons, sorting, grouping and storing only use the displayed
 * digits.
 */
describe('the dialect: quotients of columns', () => {
  testQueries('in every clause', [
    ['SELECT id, pages/7 FROM visits WHERE pages/7 = 0.4286 ORDER BY id', ['1 | 0.4286']],
    [
      `SELECT n / p, (n - p) / p, ROUND((n - p) / p * 100, 2), place / n, n * place, ROUND(n / (p - 1), 3)
       FROM (SELECT COUNT(*) AS n, COUNT(pages) AS p, CASE WHEN COUNT(*) > 9 THEN 0 ELSE ROW_NUMBER() OVER (ORDER BY COUNT(*)) END AS place
             FROM visits WHERE id < 4) x`,
      ['1.5000 | 0.5000 | 50.00 | 0.3333 | 3 | 3.000'],
    ],
    [
      `SELECT city, CASE WHEN x.p = 0 THEN 0 ELSE ROUND((x.n - x.p) / x.p * 100, 2) END
       FROM (SELECT city, COUNT(*) AS n, COUNT(pages) AS p FROM visits GROUP BY city) x ORDER BY city`,
      ['NULL | 0.00', 'Lima | 0.00', 'Oslo | 100.00', 'Rome | 0.00', 'rome | 0.00'],
    ],
    [
      'SELECT n / 7 * 100, CONCAT(n / p), n / 2 = 3 FROM (SELECT COUNT(*) AS n, COUNT(pages) AS p FROM visits) x',
      ['85.7143 | 1.2000 | 1'],
    ],
    // Here, `n` in the outer query is a column and not a count.
    ['SELECT n / 4 FROM (SELECT COUNT(*) AS n FROM visits) x JOIN (SELECT 1.50 AS m) y ON x.n > y.m', ['1.5000']],
    ['SELECT x.n / y.n FROM (SELECT 2.50 AS n) x JOIN (SELECT COUNT(*) AS n FROM visits) y ON x.n < y.n', ['0.416667']],
    ['SELECT n / m FROM (SELECT m, n FROM (SELECT COUNT(*) AS m, 2.5 AS n FROM visits) z) x', ['0.41667']],
    ['SELECT id, pages/7 FROM visits WHERE pages/7 > 0.4286 ORDER BY id', ['2 | 0.7143', '4 | 1.0000']],
    ['SELECT id, pages/7 = 0.4286 FROM visits ORDER BY id', ['1 | 1', '2 | 0', '3 | NULL', '4 | 0', '5 | 0', '6 | 0']],
    ['SELECT id, pages/7*7 = pages FROM visits ORDER BY id', ['1 | 1', '2 | 1', '3 | NULL', '4 | 1', '5 | 1', '6 | 1']],
    ['SELECT id FROM visits WHERE pages/3*3 = pages ORDER BY id', ['1', '2', '4', '5', '6']],
    ['SELECT id FROM visits ORDER BY (id + 100000)/300000, id DESC', ['4', '3', '2', '1', '6', '5']],
    [
      'SELECT id, (id + 100000)/300000 r FROM visits ORDER BY r, id DESC',
      ['4 | 0.3333', '3 | 0.3333', '2 | 0.3333', '1 | 0.3333', '6 | 0.3334', '5 | 0.3334'],
    ],
    ['SELECT DISTINCT (id + 100000)/300000 FROM visits ORDER BY 1', ['0.3333', '0.3334']],
    ['SELECT (id + 100000)/300000 r, COUNT(*) FROM visits GROUP BY r ORDER BY r', ['0.3333 | 4', '0.3334 | 2']],
    [
      'SELECT (id + 100000)/300000 r, COUNT(*) FROM visits GROUP BY (id + 100000)/300000 ORDER BY r',
      ['0.3333 | 4', '0.3334 | 2'],
    ],
    ['SELECT COUNT(DISTINCT (id + 100000)/300000) FROM visits', ['2']],
    [
      'SELECT a / 3, a / 7 * 7 FROM (SELECT id * 30000000000 AS a FROM visits WHERE id = 3) x',
      ['30000000000.0000 | 90000000000.0000'],
    ],
    ['SELECT MAX(id/7)*100, MIN(id/7)*100 FROM visits', ['85.7143 | 14.2857']],
    ['SELECT MAX(id/7), MAX(id)/7*100 FROM visits', ['0.8571 | 85.7143']],
    ['SELECT SUM(id/7), SUM(id/7)*100 FROM visits', ['3.0000 | 300.0000']],
    ['SELECT AVG(id/7), AVG(id/7)*100 FROM visits', ['0.50000000 | 49.99999995']],
    ['SELECT ROUND(AVG(id/7), 8), ROUND(AVG(id),8) FROM visits', ['0.50000000 | 3.50000000']],
    ['SELECT r * 100 FROM (SELECT MAX(id)/7 AS r FROM visits) x', ['85.7100']],
    [
      'SELECT r * 100 FROM (SELECT id/7 AS r FROM visits LIMIT 10) x ORDER BY r',
      ['14.2900', '28.5700', '42.8600', '57.1400', '71.4300', '85.7100'],
    ],
    [
      'SELECT r * 100 FROM (SELECT DISTINCT id/7 AS r FROM visits) x ORDER BY r',
      ['14.2900', '28.5700', '42.8600', '57.1400', '71.4300', '85.7100'],
    ],
    [
      'SELECT ROUND(r * 100, 3) FROM (SELECT city, SUM(id)/7 AS r FROM visits GROUP BY city) x ORDER BY r',
      ['14.290', '28.570', '57.140', '85.710', '114.290'],
    ],
    [
      'SELECT IF(id > 0, id/7, 0) * 100 FROM visits ORDER BY id',
      ['14.2857', '28.5714', '42.8571', '57.1429', '71.4286', '85.7143'],
    ],
    [
      'SELECT COALESCE(id/7, 0) * 100 FROM visits ORDER BY id',
      ['14.2857', '28.5714', '42.8571', '57.1429', '71.4286', '85.7143'],
    ],
    [
      'SELECT CASE WHEN id > 0 THEN id/7 END * 100 FROM visits ORDER BY id',
      ['14.2857', '28.5714', '42.8571', '57.1429', '71.4286', '85.7143'],
    ],
    [
      'SELECT GREATEST(id/7, 0) * 100 FROM visits ORDER BY id',
      ['14.2857', '28.5714', '42.8571', '57.1429', '71.4286', '85.7143'],
    ],
    [
      'SELECT ABS(id/7) * 100 FROM visits ORDER BY id',
      ['14.2857', '28.5714', '42.8571', '57.1429', '71.4286', '85.7143'],
    ],
    [
      'SELECT (id/7) + 0.00001 FROM visits ORDER BY id',
      ['0.14287', '0.28572', '0.42858', '0.57144', '0.71430', '0.85715'],
    ],
    ['SELECT id/7 - id/7 FROM visits ORDER BY id', ['0.0000', '0.0000', '0.0000', '0.0000', '0.0000', '0.0000']],
    [
      'SELECT -(id/7)*100 FROM visits ORDER BY id',
      ['-14.2857', '-28.5714', '-42.8571', '-57.1429', '-71.4286', '-85.7143'],
    ],
    [
      'SELECT MOD(id/7, 1)*100 FROM visits ORDER BY id',
      ['14.2857', '28.5714', '42.8571', '57.1429', '71.4286', '85.7143'],
    ],
    ['SELECT FLOOR(id/7*7) FROM visits ORDER BY id', ['0', '1', '2', '3', '4', '5']],
    ['SELECT CEIL(id/7*7) FROM visits ORDER BY id', ['1', '2', '3', '4', '5', '6']],
    ['SELECT TRUNCATE(id/7*7, 0) FROM visits ORDER BY id', ['0', '1', '2', '3', '4', '5']],
    ['SELECT CAST(id/7*7 AS SIGNED) FROM visits ORDER BY id', ['1', '2', '3', '4', '5', '6']],
    [
      'SELECT CAST(id/7 AS DECIMAL(20,10)) FROM visits ORDER BY id',
      ['0.1428571420', '0.2857142850', '0.4285714280', '0.5714285710', '0.7142857140', '0.8571428570'],
    ],
    [
      'SELECT CAST(id/7 AS DOUBLE) FROM visits ORDER BY id',
      ['0.142857142', '0.285714285', '0.428571428', '0.571428571', '0.714285714', '0.857142857'],
    ],
    [
      'SELECT id/7*1e0 FROM visits ORDER BY id',
      ['0.142857142', '0.285714285', '0.428571428', '0.571428571', '0.714285714', '0.857142857'],
    ],
    [
      'SELECT POW(id/7, 2) FROM visits ORDER BY id',
      [
        '0.02040816302040816',
        '0.08163265265306123',
        '0.18367346889795916',
        '0.32653061175510206',
        '0.5102040812244898',
        '0.7346938773061225',
      ],
    ],
    [
      'SELECT SQRT(id/7) FROM visits ORDER BY id',
      [
        '0.3779644718753338',
        '0.5345224831566957',
        '0.6546536702715413',
        '0.7559289457349812',
        '0.8451542545594857',
        '0.9258200996953998',
      ],
    ],
    [
      'SELECT id/7/7 FROM visits ORDER BY id',
      ['0.02040816', '0.04081633', '0.06122449', '0.08163265', '0.10204082', '0.12244898'],
    ],
    ['SELECT 1/(id/7) FROM visits ORDER BY id', ['7.0000', '3.5000', '2.3333', '1.7500', '1.4000', '1.1667']],
    [
      'SELECT 100/(id/7) FROM visits ORDER BY id',
      ['700.0000', '350.0000', '233.3333', '175.0000', '140.0000', '116.6667'],
    ],
    ['SELECT price/price FROM visits ORDER BY id', ['1.000000', '1.000000', 'NULL', '1.000000', '1.000000', 'NULL']],
    [
      'SELECT price*price/3 FROM visits ORDER BY id',
      ['0.75000000', '1.68750000', 'NULL', '33.33333333', '0.32670000', '0.00000000'],
    ],
    [
      'SELECT (price+pages)/3 FROM visits ORDER BY id',
      ['1.500000', '2.416667', 'NULL', '5.666667', '0.663333', '0.000000'],
    ],
    ['SELECT SUM(price)/SUM(pages) FROM visits', ['0.921250']],
    ['SELECT SUM(price*pages)/SUM(pages) FROM visits', ['5.421250']],
    ['SELECT ROUND(SUM(price*pages)/SUM(pages), 1) FROM visits', ['5.4']],
    [
      'SELECT MAX(rate), SUM(rate), AVG(rate), SUM(rate)/3, COUNT(rate) FROM visits',
      ['2 | 4.1 | 0.82 | 1.3666666666666665 | 5'],
    ],
    [
      'SELECT CONCAT(x), CAST(x AS CHAR), CONCAT(x * 10), CONCAT(x/3) FROM things WHERE id <> 3 ORDER BY id',
      [
        '0.5 | 0.5 | 5 | 0.16666666666666666',
        '2.5 | 2.5 | 25 | 0.8333333333333334',
        'NULL | NULL | NULL | NULL',
        '0.1 | 0.1 | 1 | 0.03333333333333333',
        '-2.5 | -2.5 | -25 | -0.8333333333333334',
        '0.0000001 | 0.0000001 | 0.000001 | 0.000000033333333333333334',
        '3.5 | 3.5 | 35 | 1.1666666666666667',
      ],
    ],
    ['SELECT GROUP_CONCAT(id/7 ORDER BY id) FROM things', ['0.1429,0.2857,0.4286,0.5714,0.7143,0.8571,1.0000,1.1429']],
    [
      'SELECT GREATEST(id/7, 0.14286) FROM visits ORDER BY id',
      ['0.14286', '0.28571', '0.42857', '0.57143', '0.71429', '0.85714'],
    ],
    ['SELECT id/7 BETWEEN 0.1429 AND 0.2857 FROM visits ORDER BY id', ['0', '0', '0', '0', '0', '0']],
    ['SELECT id/7 IN (0.1429, 0.2857) FROM visits ORDER BY id', ['0', '0', '0', '0', '0', '0']],
    ['SELECT NULLIF(id/7, 0.1429) FROM visits ORDER BY id', ['NULL', '0.2857', '0.4286', '0.5714', '0.7143', '0.8571']],
    ["SELECT CASE id/7 WHEN 0.1429 THEN 'y' ELSE 'n' END FROM visits ORDER BY id", ['n', 'n', 'n', 'n', 'n', 'n']],
    ["SELECT IF(id/7 = 0.1429, 'y', 'n') FROM visits ORDER BY id", ['y', 'n', 'n', 'n', 'n', 'n']],
    ["SELECT IF((id + 30000000)/30000000 - 1, 'y', 'n') FROM visits ORDER BY id", ['y', 'y', 'y', 'y', 'y', 'y']],
    ['SELECT id FROM visits WHERE id/30000000 ORDER BY id', ['1', '2', '3', '4', '5', '6']],
    ['SELECT city, SUM(id)/7 FROM visits GROUP BY city HAVING SUM(id)/7 = 0.8571 ORDER BY city', ['Lima | 0.8571']],
    [
      'SELECT city FROM visits GROUP BY city ORDER BY (SUM(id) + 1000000)/3000000, city',
      ['NULL', 'Lima', 'Oslo', 'Rome', 'rome'],
    ],
    [
      'SELECT city FROM visits GROUP BY city ORDER BY AVG(id + 1000000)/3, city DESC',
      ['Rome', 'rome', 'Oslo', 'NULL', 'Lima'],
    ],
    ['SELECT FIELD(id/7, 0.1429) FROM visits ORDER BY id', ['0', '0', '0', '0', '0', '0']],
    [
      'SELECT a.id, b.id FROM visits a JOIN visits b ON a.id/3 = b.id/3 + 0.3333 ORDER BY a.id, b.id',
      ['3 | 2', '4 | 3', '6 | 5'],
    ],
    ["SELECT CONCAT(id/7, '') FROM visits ORDER BY id", ['0.1429', '0.2857', '0.4286', '0.5714', '0.7143', '0.8571']],
    ['SELECT MIN(id/7) = 0.1429 FROM visits', ['1']],
    ['SELECT x.r = 0.1429 FROM (SELECT id/7 r FROM visits) x ORDER BY r', ['1', '0', '0', '0', '0', '0']],
    ['SELECT COUNT(*) FROM visits GROUP BY id/700000', ['6']],
    ['SELECT id/7 r FROM visits GROUP BY r HAVING r > 0.5 ORDER BY r DESC', ['0.8571', '0.7143', '0.5714']],
    ['SELECT DISTINCT id/70000 FROM visits ORDER BY 1', ['0.0000', '0.0001']],
    [
      'SELECT MAX(id/7)*1000000, MIN(id/7)*1000000, AVG(id/7)*1000000, SUM(id/7)*10000000 FROM visits WHERE id < 4',
      ['428571.4280 | 142857.1420 | 285714.28500000 | 8571428.5500'],
    ],
    [
      'SELECT id, MAX(id/7)*1000000, AVG(id/7)*1000000 FROM visits WHERE id < 3 GROUP BY id ORDER BY id',
      ['1 | 142857.1420 | 142857.14200000', '2 | 285714.2850 | 285714.28500000'],
    ],
    ['SELECT MAX(id/7)*100 = 85.7143, MAX(rate/3)*3 FROM visits', ['1 | 2']],
    [
      'SELECT AVG(pages)*1000000, AVG(pages) = 2.6667, AVG(pages)*3 = 8, ROUND(AVG(pages), 8) FROM visits WHERE id IN (1, 2, 6)',
      ['2666666.6660 | 1 | 1 | 2.66666667'],
    ],
    [
      'SELECT AVG(pages) OVER () * 1000000, ROUND(AVG(pages) OVER (), 8) FROM visits WHERE id IN (1, 2, 6) LIMIT 1',
      ['2666666.6660 | 2.66666667'],
    ],
    [
      'SELECT city, COUNT(*) / SUM(COUNT(*)) OVER () * 100 AS share FROM visits GROUP BY city ORDER BY share DESC, city',
      ['Oslo | 33.3333', 'NULL | 16.6667', 'Lima | 16.6667', 'Rome | 16.6667', 'rome | 16.6667'],
    ],
    [
      "SELECT IF(id > 1, 'x', id/7), CONCAT(IF(id > 1, 0, id/7)) FROM visits WHERE id < 3 ORDER BY id",
      ['0.1429 | 0.1429', 'x | 0.0000'],
    ],
    ["SELECT CASE WHEN id/7 = 0.1429 THEN 'a' ELSE id/7 END FROM visits WHERE id < 3 ORDER BY id", ['a', '0.2857']],
    ['SELECT id/7 AS q FROM visits WHERE id < 2 UNION SELECT 0.1429', ['0.1429']],
    ['WITH q AS (SELECT id/7 AS r FROM visits) SELECT COUNT(*) FROM q WHERE r = 0.1429', ['1']],
    ['SELECT COUNT(*) FROM visits a JOIN (SELECT id/7 AS q FROM visits) b ON b.q = 0.1429', ['6']],
    [
      'SELECT COALESCE(SUM(price), 0), COALESCE(SUM(pages), 0), COALESCE(SUM(rate), 0) FROM visits WHERE id > 9',
      ['0.00 | 0 | 0'],
    ],
    ['SELECT IF(id > 1, 1, 0.5) FROM visits WHERE id < 3 ORDER BY id', ['0.5', '1.0']],
  ]);
});
