import { testExpressions, testQueries } from './query-tests.js';

/** A comparison of rows with NULL is only unknown if no other column already determines the result. */
describe('the dialect: comparisons of rows', () => {
  testExpressions('with each operator', [
    ['(1, 2, 3) <> (1, NULL, 3) AS a', null],
    ['(1, 2) <> (2, NULL) AS a', '1'],
    ['(1, 2) = (1, 2) AS a', '1'],
    ['(1, 2) = (1, NULL) AS a', null],
    ['(1, NULL) <=> (1, NULL) AS a', '1'],
    ['(1, 2) < (1, 3) AS a', '1'],
    ['(1, NULL) < (1, 3) AS a', null],
    ['(0, NULL) < (1, 3) AS a', '1'],
    ['(1, 2) <= (1, 2) AS a', '1'],
    ['(1, 2, 3) >= (1, 2, 4) AS a', '0'],
  ]);

  testExpressions('as a part of another expression, and with ROW', [
    ['NOT (1, 2) = (1, 2) AS a', '0'],
    ['1 = 1 AND (1, 2) = (1, 3) AS a, 2 AS b', '0', '2'],
    ['ROW(1, 2) = (1, 2) AS a, (1, 2) = ROW(1, 3) AS b', '1', '0'],
    ['ROW(1, 2) < ROW(1, 3) AS a, ROW(2, 1) < ROW(1, 3) AS b', '1', '0'],
  ]);

  testExpressions('of a query with another row', [
    ['(SELECT 1, 2) = (1, 2) AS a, (SELECT 1, 3) = (1, 2) AS b, (SELECT 1, NULL) = (1, 2) AS c', '1', '0', null],
    ['(SELECT 1, 2) <> (1, 2), (SELECT 1, 2) < (1, 3), (SELECT 1, 2) > (1, 3)', '0', '1', '0'],
    ['(SELECT 1, 2) = (SELECT 1, 2), (SELECT 1, 2) < (SELECT 1, 3)', '1', '1'],
    ['(SELECT 1, 2) IN (SELECT 1, 2), (SELECT 1, 2) IN (SELECT 1, 3)', '1', '0'],
    ['(SELECT 1, 2 FROM visits WHERE id = -1) = (1, 2)', null],
  ]);

  testExpressions('with the rows of a query', [
    ['(1, NULL) IN (SELECT 2, 3)', '0'],
    ['(1, 2) IN (SELECT 1, NULL)', null],
    ['(1, 2) NOT IN (SELECT 1, 3)', '1'],
    ['(1, 2) IN (SELECT 1, 2)', '1'],
    ['(1, NULL) IN (SELECT 1, NULL)', null],
    ['(1, 2) IN (SELECT 1, 2 FROM visits WHERE id = -1)', '0'],
    ['(1, NULL) NOT IN (SELECT 1, 2 FROM visits WHERE id = -1)', '1'],
    ['(1, 2) = (SELECT 1, 2)', '1'],
    ['(1, 2) = (SELECT 1, NULL)', null],
    ['(1, 2) < (SELECT 1, 3)', '1'],
    ['(1, 2) = (SELECT 1, 2 FROM visits WHERE id = -1)', null],
  ]);

  testQueries('in WHERE', [
    ['SELECT a FROM (SELECT (1, 2) = (1, 2) AS a) t WHERE a', ['1']],
    ['SELECT id FROM visits WHERE ROW(id, pages) IN (ROW(1, 3), ROW(2, 4)) ORDER BY id', ['1']],
    ['SELECT id FROM visits WHERE (id, pages) = (SELECT id, pages FROM visits WHERE id = 1)', ['1']],
    [
      'SELECT id FROM visits v WHERE (SELECT w.id, w.pages FROM visits w WHERE w.id = v.id) = (SELECT w.id, 3 FROM visits w WHERE w.id = 1)',
      ['1'],
    ],
    [
      'SELECT id FROM visits v WHERE (id, pages) IN (SELECT w.id, w.pages FROM visits w WHERE w.city = v.city) ORDER BY id',
      ['1', '2', '5', '6'],
    ],
    [
      'SELECT v.id, (v.id, v.pages) IN (SELECT w.id, w.pages FROM visits w WHERE w.city = v.city) FROM visits v ORDER BY v.id',
      ['1 | 1', '2 | 1', '3 | NULL', '4 | 0', '5 | 1', '6 | 1'],
    ],
    [
      'SELECT city, MAX(pages) FROM visits v GROUP BY city HAVING (city, MAX(pages)) IN (SELECT w.city, w.pages FROM visits w WHERE w.city = v.city) ORDER BY city',
      ['Lima | 0', 'Oslo | 1', 'Rome | 3', 'rome | 5'],
    ],
    ['SELECT id FROM visits WHERE (pages, city) NOT IN (SELECT 3, NULL) ORDER BY id', ['2', '4', '5', '6']],
    [
      'SELECT t.id FROM (SELECT 1 AS id, 2 AS a, NULL AS b) t WHERE (t.a, t.b) NOT IN (SELECT 5, 6) ORDER BY t.id',
      ['1'],
    ],
    [
      "SELECT t.k, (t.a, t.b) NOT IN (SELECT 'x', 5) FROM (SELECT 1 AS k, NULL AS a, 4 AS b UNION ALL SELECT 2, 'y', 5) t ORDER BY t.k",
      ['1 | 1', '2 | 1'],
    ],
    [
      "SELECT id FROM (SELECT 1 AS id, 'tea' AS item UNION ALL SELECT 2, 'tea' UNION ALL SELECT 3, NULL UNION ALL SELECT 4, 'zzz') t WHERE (item, id) > ('tea', 1) ORDER BY id",
      ['2', '4'],
    ],
    [
      'SELECT a.id FROM (SELECT 1 AS id, 2 AS q UNION ALL SELECT 2, 9) a WHERE (a.id, a.q) IN (SELECT b.id, MAX(b.q) FROM (SELECT 1 AS id, 2 AS q UNION ALL SELECT 2, 3) b WHERE b.id = a.id GROUP BY b.id) ORDER BY a.id',
      ['1'],
    ],
  ]);
});
