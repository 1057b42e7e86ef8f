import { expect } from 'chai';
import { translate } from '../../../engine/sql/duckdb/translate.js';
import { describeExceptOnTidb } from '../../services/server.js';
import { testExpressions, testQueries } from './query-tests.js';

const SHOPS = '(SELECT 1 AS id UNION ALL SELECT 2)';
const SALES = '(SELECT 1 AS k, 1 AS b, 10 AS a UNION ALL SELECT 2, 1, 20 UNION ALL SELECT 3, 2, 40)';

/** Constructs that the translation or the parser once read incompletely without an error. */
describe('the dialect: no part of a query is dropped', () => {
  testQueries('WITH before a SELECT in parentheses', [
    ['WITH visits AS (SELECT 7 AS id) (SELECT id FROM visits) LIMIT 3', ['7']],
    ['WITH a AS (SELECT 1 AS x), b (y) AS (SELECT x + 1 FROM a) ((SELECT y FROM b)) ORDER BY y', ['2']],
    ['WITH a AS (SELECT 1 AS x) (SELECT x FROM a) UNION ALL (SELECT 5) ORDER BY 1', ['1', '5']],
    ['(SELECT id FROM visits ORDER BY id LIMIT 2) ORDER BY id DESC', ['2', '1']],
    ['SELECT id FROM (visits) ORDER BY id LIMIT 1', ['1']],
  ]);

  it('rejects a WITH that the parser loses inside of a query', () => {
    const lost = 'SELECT * FROM (WITH a AS (SELECT 1 AS x) (SELECT x FROM a) LIMIT 1) t';
    expect(() => translate(lost)).to.throw('WITH before a SELECT in parentheses');
  });

  testQueries('joins whose conditions follow other joins', [
    [
      `SELECT s.id FROM ${SHOPS} s LEFT JOIN (SELECT 1 AS sid) a JOIN (SELECT 1 AS zid) z ON z.zid = a.sid ON a.sid = s.id ORDER BY s.id`,
      ['1', '2'],
    ],
    [
      'SELECT a.x FROM (SELECT 1 AS x) a LEFT JOIN (SELECT 1 AS x) b LEFT JOIN (SELECT 2 AS x) c JOIN (SELECT 2 AS x) d ON c.x = d.x ON b.x = c.x ON a.x = b.x',
      ['1'],
    ],
    [
      'SELECT a.x, e.x FROM (SELECT 1 AS x UNION ALL SELECT 3) a LEFT JOIN (SELECT 1 AS x) b JOIN (SELECT 1 AS x) c ON b.x = c.x ON a.x = b.x LEFT JOIN (SELECT 3 AS x) e JOIN (SELECT 3 AS x) f ON e.x = f.x ON e.x = a.x ORDER BY a.x',
      ['1 | NULL', '3 | 3'],
    ],
  ]);

  testQueries('windows that are based on named windows', [
    [
      `SELECT k, SUM(a) OVER w2 FROM ${SALES} t WINDOW w AS (PARTITION BY b), w2 AS (w ORDER BY k ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) ORDER BY k`,
      ['1 | 10', '2 | 30', '3 | 40'],
    ],
    [
      `SELECT k, SUM(a) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM ${SALES} t WINDOW w AS (PARTITION BY b ORDER BY k) ORDER BY k`,
      ['1 | 10', '2 | 30', '3 | 40'],
    ],
    [`SELECT k, SUM(a) OVER W FROM ${SALES} t WINDOW w AS (PARTITION BY b) ORDER BY k`, ['1 | 30', '2 | 30', '3 | 40']],
  ]);

  testQueries('columns of an outer SELECT', [
    [
      `SELECT (SELECT s.id FROM (SELECT 5 AS item UNION ALL SELECT 5) a GROUP BY a.item) AS x FROM ${SHOPS} s ORDER BY x`,
      ['1', '2'],
    ],
    [
      `SELECT s.id, (SELECT COUNT(*) * s.id FROM (SELECT 1 AS shop_id UNION ALL SELECT 1) a WHERE a.shop_id = s.id) FROM ${SHOPS} s ORDER BY s.id`,
      ['1 | 2', '2 | 0'],
    ],
    [
      "SELECT (SELECT DATEDIFF(MAX(e.at), r.at) FROM (SELECT '2020-01-05' AS at) e) FROM (SELECT '2020-01-01' AS at) r",
      ['4'],
    ],
  ]);

  it('rejects a column that can belong to two SELECTs', () => {
    const sql = 'SELECT (SELECT id FROM a GROUP BY a.item LIMIT 1) AS x FROM s';
    expect(() => translate(sql)).to.throw('The column id without the name of its table');
  });

  it('rejects DISTINCT in an aggregate that has none', () => {
    expect(() => translate('SELECT VAR_POP(DISTINCT a) FROM t')).to.throw('DISTINCT in VAR POP');
  });

  testQueries('the groups of ROLLUP', [
    ['SELECT city, COUNT(*) FROM visits WHERE id = -1 GROUP BY city WITH ROLLUP', []],
    ['SELECT COUNT(*) FROM (SELECT city FROM visits WHERE id = -1 GROUP BY city WITH ROLLUP) x', ['0']],
    [
      'SELECT person, n FROM (SELECT person, COUNT(*) AS n FROM visits WHERE id = 2 GROUP BY person WITH ROLLUP HAVING n > 0) x ORDER BY person',
      ['NULL | 1', 'ann | 1'],
    ],
  ]);

  describeExceptOnTidb('its rows have no order', 'the rows of ROLLUP without ORDER BY', () => {
    testQueries('are ordered by the keys, and each subtotal follows its rows', [
      [
        'SELECT city, YEAR(day) AS y, COUNT(*) FROM visits WHERE id < 6 GROUP BY city, y WITH ROLLUP',
        [
          'NULL | 2020 | 1',
          'NULL | NULL | 1',
          'Oslo | 2020 | 2',
          'Oslo | NULL | 2',
          'Rome | 2020 | 1',
          'Rome | NULL | 1',
          'rome | 2020 | 1',
          'rome | NULL | 1',
          'NULL | NULL | 5',
        ],
      ],
      ['SELECT id / 3 AS x, COUNT(*) FROM visits GROUP BY 1 WITH ROLLUP LIMIT 2', ['0.3333 | 1', '0.6667 | 1']],
      [
        "SELECT IFNULL(city, 'all') AS city, COUNT(*) FROM visits WHERE id IN (1, 3, 5) GROUP BY city WITH ROLLUP",
        ['Oslo | 2', 'Rome | 1', 'all | 3'],
      ],
      [
        'SELECT MAX(id) AS pages, COUNT(*) FROM visits WHERE id IN (1, 2, 4) GROUP BY pages WITH ROLLUP',
        ['1 | 1', '2 | 1', '4 | 1', '4 | 3'],
      ],
      ['SELECT COUNT(*) FROM visits GROUP BY MONTH(day) WITH ROLLUP', ['1', '3', '1', '1', '6']],
    ]);
  });

  testQueries('quotients in HAVING', [
    [
      'SELECT k FROM (SELECT 1 AS k, 2 AS q) t GROUP BY k HAVING AVG(q) / 2 / 2 > 0.2 AND ROUND(AVG(q) / 3, 2) = 0.67',
      ['1'],
    ],
    ['SELECT t.k FROM (SELECT 1 AS k, 2 AS q) t GROUP BY t.k HAVING MAX(t.q) / AVG(t.q) > 0.5 ORDER BY t.k', ['1']],
  ]);

  testQueries('digits', [
    ['SELECT 46 / CAST(NULL AS SIGNED) / 80', ['NULL']],
    ['SELECT id / 7 / 7 * 49 FROM visits WHERE id = 2', ['1.99999999']],
    ['SELECT 123456789.123456789 / 3', ['41152263.0411522630000']],
    [
      "SELECT AVG(t.d), SUM(t.d) / COUNT(*), MAX(t.d) / 1 FROM (SELECT CAST('9999999999.99' AS DECIMAL(12,2)) AS d) t",
      ['9999999999.990000 | 9999999999.990000 | 9999999999.990000'],
    ],
    [
      "SELECT CAST('12345678901234.5678' AS DECIMAL(20,4)) / 7, CAST('-999999999999999999.99' AS DECIMAL(20,2)) / 3, 1.5 / 0.3",
      ['1763668414462.08111429 | -333333333333333333.330000 | 5.00000'],
    ],
    [
      "SELECT AVG(d) FROM (SELECT CAST('123456789012345.67' AS DECIMAL(17,2)) AS d UNION ALL SELECT CAST('123456789012345.68' AS DECIMAL(17,2))) t",
      ['123456789012345.675000'],
    ],
    ['SELECT ROUND(7.5, -1), ROUND(-7.5, -1), ROUND(75, -1), ROUND(7.5e0, -1)', ['10 | -10 | 80 | 10']],
  ]);

  testExpressions('text and JSON compared with a number', [
    ["CAST(1 AS SIGNED) = '1.4'", '0'],
    [`JSON_EXTRACT('{"a": 0.4}', '$.a') > 0`, '1'],
    [`JSON_EXTRACT('{"a": 1.6}', '$.a') < 2`, '1'],
  ]);

  testQueries('text and JSON compared with a column', [
    ["SELECT id FROM visits WHERE id = '1.4'", []],
    ["SELECT id FROM visits WHERE id < '1.4'", ['1']],
    ["SELECT id FROM visits WHERE id IN ('1.4', '2')", ['2']],
    ["SELECT t.x FROM (SELECT '1.4' AS x UNION ALL SELECT '1.40') t WHERE t.x = '1.4'", ['1.4']],
    [`SELECT t.k FROM (SELECT 1 AS k, '{"a": 0.4}' AS j) t WHERE JSON_EXTRACT(t.j, '$.a') < t.k`, ['1']],
  ]);

  testQueries('a date in a text', [
    [
      "WITH RECURSIVE c AS (SELECT '2024-02-28' AS d UNION ALL SELECT DATE_ADD(d, INTERVAL 1 DAY) FROM c WHERE d < '2024-03-01') SELECT d FROM c ORDER BY d",
      ['2024-02-28', '2024-02-29', '2024-03-01'],
    ],
  ]);
});
