import { expect } from 'chai';
import { Select } from '../../../engine/databases/mysql/connection/select.js';

/** Replaces `~x~` by the expression with which the translation rounds x to its displayed digits. */
const roundVisible = (sql: string) => sql.replace(/~([^~]*)~/g, 'ROUND($1, 400 + 0 * RAND())');
const translated = (sql: string) => new Select(sql, 'tidb').sql;

/** SELECT statements and their translations for TiDB. `~x~` means x rounded to its displayed digits. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['SELECT a / b AS q FROM t', 'SELECT ~a / b~ AS q FROM t'],
  ['SELECT a / b q, a/b FROM t', 'SELECT ~a / b~ q, ~a/b~ AS `a/b` FROM t'],
  ['SELECT a/b*100 AS `x / y` FROM t', 'SELECT ~a/b*100~ AS `x / y` FROM t'],
  ["SELECT '1 / 2' AS x, t.b/* a / b */ FROM t -- a / b", "SELECT '1 / 2' AS x, t.b/* a / b */ FROM t -- a / b"],
  ['SELECT ROUND(100 * a / b, 2) AS x FROM t', 'SELECT ROUND(100 * a / b, 2) AS x FROM t'],
  [
    'SELECT 1 AS x FROM t WHERE a/b >= 0.5 AND NOT a/b = c/2 AND a/b IN (1/3) AND a/b BETWEEN 1/3 AND 2',
    'SELECT 1 AS x FROM t WHERE ~a/b~ >= 0.5 AND NOT ~a/b~ = ~c/2~ AND a/b IN (1/3) AND a/b BETWEEN 1/3 AND 2',
  ],
  [
    'SELECT x FROM t JOIN u ON t.a / 3 = u.a GROUP BY a/b, x HAVING SUM(a)/SUM(b) > 1 ORDER BY a/b DESC, x LIMIT 5',
    'SELECT x FROM t JOIN u ON ~t.a / 3~ = u.a GROUP BY ~a/b~, x HAVING ~SUM(a)/SUM(b)~ > 1 ORDER BY ~a/b~ DESC, x LIMIT 5',
  ],
  [
    'SELECT RANK() OVER (PARTITION BY x ORDER BY a/b DESC) AS r, LAG(a/b) OVER w AS l FROM t WINDOW w AS (ORDER BY a/b)',
    'SELECT RANK() OVER (PARTITION BY x ORDER BY ~a/b~ DESC) AS r, LAG(~a/b~) OVER w AS l FROM t WINDOW w AS (ORDER BY ~a/b~)',
  ],
  [
    "SELECT CONCAT(a/b, '%') AS x, CAST(a/b AS CHAR) AS y, CAST(a/b AS DECIMAL(20, 9)) AS z, COUNT(DISTINCT a/b) AS n FROM t",
    "SELECT CONCAT(~a/b~, '%') AS x, CAST(~a/b~ AS CHAR) AS y, CAST(a/b AS DECIMAL(20, 9)) AS z, COUNT(DISTINCT ~a/b~) AS n FROM t",
  ],
  [
    "SELECT CASE WHEN a/b > 1 THEN a/b ELSE 0 END AS x, IF(a/b > 1, a/b, '-') AS y, COALESCE(a/b, 0) * 2 AS z FROM t",
    "SELECT ROUND(CASE WHEN ~a/b~ > 1 THEN a/b ELSE 0 END, 400 + 0 * RAND()) AS x, IF(~a/b~ > 1, ~a/b~, '-') AS y, ~COALESCE(a/b, 0) * 2~ AS z FROM t",
  ],
  ['SELECT AVG(a) AS x, MAX(a/b) AS y FROM t', 'SELECT AVG(a) AS x, MAX(a/b) AS y FROM t'],
  [
    'SELECT AVG(a) * 3 AS x, ROUND(AVG(DISTINCT a), 8) AS y, AVG(a) OVER w * 3 AS z FROM t WINDOW w AS (ORDER BY a)',
    'SELECT ~(SUM(a) / COUNT(a)) * 3~ AS x, ROUND((SUM(DISTINCT a) / COUNT(DISTINCT a)), 8) AS y, ' +
      '~(SUM(a) OVER w / COUNT(a) OVER w) * 3~ AS z FROM t WINDOW w AS (ORDER BY a)',
  ],
  [
    'SELECT MAX(a/b) * 100 AS x FROM t',
    'SELECT ROUND(MAX((a/b) + 0.000000000000000000000000000) * 100, IF((MAX(a/b) * 100) * 0 + 0.1 + 0.2 = 0.3, ' +
      "CHAR_LENGTH(SUBSTRING_INDEX(~MAX(a/b) * 100~, '.', -1)), 400)) AS x FROM t",
  ],
  [
    "SELECT COALESCE(SUM(a), 0) AS x, COALESCE(a, 0) AS y, IF(a > b, 1, 0.5) + 1 AS z, COALESCE(a, 'b') AS s FROM t",
    "SELECT TRUNCATE(COALESCE(SUM(a), 0), IF((COALESCE(SUM(a), 0)) = 0, 30, 400) + 0 * RAND()) AS x, COALESCE(a, 0) AS y, TRUNCATE(IF(a > b, 1, 0.5) + 1, IF((IF(a > b, 1, 0.5) + 1) = 0, 30, 400) + 0 * RAND()) AS z, COALESCE(a, 'b') AS s FROM t",
  ],
  ['SELECT d + INTERVAL a / 2 DAY AS x FROM t', 'SELECT d + INTERVAL a / 2 DAY AS x FROM t'],
  [
    'SELECT ROUND(a, -1) AS x, ROUND(a) AS y, ROUND(a, 2) AS z FROM t',
    'SELECT IF((a) * 0 + 0.1 + 0.2 = 0.3, TRUNCATE((a) + SIGN(a) * 5, -1), ROUND(a, -1)) AS x, ROUND(a) AS y, ' +
      'IF((a) = TRUNCATE(a, 0), TRUNCATE(a, 2), ROUND(a, 2)) AS z FROM t',
  ],
  [
    "SELECT JSON_VALUE(j, '$.a') FROM t",
    "SELECT IF(JSON_TYPE(JSON_EXTRACT(j, '$.a')) = 'NULL', NULL, CAST(JSON_UNQUOTE(JSON_EXTRACT(j, '$.a')) AS CHAR)) " +
      "AS `JSON_VALUE(j, '$.a')` FROM t",
  ],
  [
    "SELECT TIMESTAMPADD(SQL_TSI_DAY, a + 1, d) AS x, LPAD(s, a, '0') AS y, LPAD(s, 3, '0') AS z FROM t",
    "SELECT DATE_ADD(d, INTERVAL (a + 1) DAY) AS x, LPAD(s, NULLIF(GREATEST(a, -1), -1), '0') AS y, LPAD(s, 3, '0') AS z FROM t",
  ],
  [
    "SELECT DATE_FORMAT(d, '') AS x FROM t WHERE s REGEXP '' OR REGEXP_LIKE(s, '')",
    "SELECT NULLIF(DATE_FORMAT(d, ''), '') AS x FROM t WHERE s REGEXP '(?:)' OR REGEXP_LIKE(s, '(?:)')",
  ],
];

const REJECTED: readonly (readonly [string, string])[] = [
  [
    "SELECT STR_TO_DATE(s, '%Y %j') AS x FROM t",
    'STR_TO_DATE with the code %j returns NULL on TiDB. Use %Y, %m, %d and the codes of times.',
  ],
  [
    'SELECT STR_TO_DATE(s, f) AS x FROM t',
    'STR_TO_DATE with a format that is not a literal returns NULL on TiDB. Write the format as a literal.',
  ],
  [
    "SELECT a FROM t WHERE JSON_EXTRACT(j, '$.a') = 'x'",
    'On TiDB a JSON value never equals a text. Compare JSON_VALUE(x, path) instead of JSON_EXTRACT(x, path).',
  ],
];

describe('the text of a SELECT for TiDB', () => {
  for (const [sql, text] of TEXTS) {
    it(sql, () => {
      expect(translated(sql)).to.equal(roundVisible(text));
    });
  }

  for (const [sql, message] of REJECTED) {
    it(`is rejected: ${sql}`, () => {
      expect(() => translated(sql)).to.throw(message);
    });
  }

  it('has a limited length', () => {
    const nested = (write: (inner: string) => string) =>
      Array.from({ length: 12 }).reduce((inner: string) => write(inner), 'a');
    for (const write of [(x: string) => `ROUND(${x}, 2)`, (x: string) => `(SELECT MAX(a/b) * ${x} FROM t)`]) {
      expect(() => translated(`SELECT ${nested(write)} AS x FROM t`)).to.throw(
        'Name the expression in a derived table.',
      );
    }
    for (const write of [(x: string) => `LPAD(${x}, 9, '0')`, (x: string) => `NULLIF(${x} / 2, 0)`]) {
      expect(translated(`SELECT ${nested(write)} AS x FROM t`).length).to.be.below(5_000);
    }
  });

  it('keeps the markers, and does not change the text for other servers', () => {
    const sql = "SELECT :p2 / 3 AS x FROM t WHERE s = ':p1' AND a = :p1";
    const { parts, order } = new Select(sql, 'tidb');
    expect({ parts, order }).to.deep.equal({
      parts: ['SELECT ROUND(', " / 3, 400 + 0 * RAND()) AS x FROM t WHERE s = ':p1' AND a = ", ''],
      order: [1, 0],
    });
    expect(new Select(sql, 'mariadb').sql).to.equal("SELECT ? / 3 AS x FROM t WHERE s = ':p1' AND a = ?");
  });
});
