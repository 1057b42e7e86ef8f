import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import type { BoundValue } from '../../../engine/databases/interface/database.js';
import { translate } from '../../../engine/sql/duckdb/translate.js';
import { UntranslatableSqlError } from '../../../engine/sql/reading/untranslatable-sql-error.js';
import { messageOf } from '../failures.js';
import { openTestDatabase } from './open-test-database.js';

describe('the translation of a query', () => {
  it('returns one readable text with numbered parameters', () => {
    expect(
      translate('SELECT `a`, b c FROM t u WHERE a = :p2 AND b IN (:p1, 2) # why\nORDER BY c DESC LIMIT 5, 10'),
    ).to.equal(
      'SELECT "a", "b" AS "c" FROM "t" AS "u" WHERE (("a" = $2) AND ("b" IN ($1, 2))) ORDER BY "c" DESC LIMIT 10 OFFSET 5',
    );
  });

  it('distinguishes comments, quotes and operators', () => {
    expect(translate("SELECT '-- # /* ! */ \"' a, `#x` b /* gone */ FROM t -- gone\nWHERE a != 1 AND !b")).to.equal(
      'SELECT \'-- # /* ! */ "\' AS "a", "#x" AS "b" FROM "t" WHERE (("a" <> 1) AND (NOT ("b" <> 0)))',
    );
  });

  it('names unnamed columns as MySQL does', () => {
    expect(translate('SELECT COUNT(*), max(b), SUM(t.b), MIN(`b c`), 5, t.a FROM t')).to.equal(
      'SELECT count(*) AS "COUNT(*)", max(mysql.extreme("b")) AS "max(b)", sum("t"."b") AS "SUM(t.b)", min(mysql.extreme("b c")) AS "MIN(`b c`)", 5 AS "5", first("t"."a") AS "a" FROM "t"',
    );
  });

  it('names unnamed columns of a UNION and of a query in parentheses', () => {
    expect(translate('SELECT DISTINCT a+1 , b FROM t UNION SELECT 1, 2')).to.match(
      /^\(SELECT DISTINCT .* AS "a\+1", "b" /,
    );
    expect(translate("((SELECT STRAIGHT_JOIN Concat( a,'x' ) FROM t WHERE a) UNION SELECT 1)")).to.include(
      `AS "Concat( a,'x' )"`,
    );
  });

  it('names columns in parentheses, dates, and the unnamed columns of derived tables', () => {
    expect(translate("SELECT ((a)), DATE '2024-01-05' FROM t")).to.equal(
      `SELECT "a" AS "a", DATE '2024-01-05' AS "DATE '2024-01-05'" FROM "t"`,
    );
    expect(translate('SELECT * FROM (SELECT Count( * ), a+1, (7) FROM t) AS d')).to.match(
      /\(SELECT count\(\*\) AS "Count\( \* \)", .* AS "a\+1", 7 AS "7" FROM "t"\)/,
    );
    expect(
      translate(
        'WITH d AS (SELECT (SELECT MAX(b)  FROM t) FROM t), e AS (SELECT a DIV 2 FROM t) SELECT 1, 2 FROM d, e',
      ),
    ).to.match(/AS "\(SELECT MAX\(b\) {2}FROM t\)" .* AS "a DIV 2" .* SELECT 1 AS "1", 2 AS "2" FROM/);
  });

  it('distinguishes a WITH from a table with its name', () => {
    const sql = 'WITH t AS (SELECT a FROM t UNION SELECT 2 LIMIT 1) SELECT a FROM t';
    expect(translate(sql)).to.match(/^WITH "t" AS \(.* LIMIT 1\) AS limited .*\) SELECT "a" FROM "t"$/);
  });

  const REJECTED: readonly (readonly [string, string])[] = [
    ['SELECT SOUNDEX(a) FROM t', 'The function SOUNDEX'],
    ['SELECT getenv(a) FROM t', 'The function GETENV'],
    ['SELECT read_text(a) FROM t', 'The function READ_TEXT'],
    ["SELECT * FROM read_csv('x')", 'FUNCTION in FROM'],
    ['SELECT * FROM `data.csv`', 'The table name data.csv'],
    ['SELECT * FROM other.t', 'The table other.t'],
    ['SELECT a FROM t HAVING a > 1', 'HAVING without GROUP BY'],
    ['SELECT a FROM t FOR UPDATE', 'LOCKS in SELECT'],
    ['SELECT @a', 'A user variable'],
    ['SELECT @@version', 'The variable version'],
    ['SELECT a ^ b FROM t', 'BITWISE XOR'],
    ['SELECT ~a FROM t', 'BITWISE NOT'],
    ['SELECT DATE_FORMAT(a, b) FROM t', 'DATE_FORMAT with a format that is not a literal text'],
    ["SELECT STR_TO_DATE(a, '%U') FROM t", 'The code %U of STR_TO_DATE'],
    ['SELECT WEEK(a, 8) FROM t', 'This week mode'],
    ["SELECT STR_TO_DATE(a, '%H:%i %p') FROM t", 'STR_TO_DATE with %p and an hour from 0 to 23'],
    ["SELECT JSON_EXTRACT(a, '$.b') + 1 FROM t", 'Arithmetic with JSON'],
    ["SELECT CONVERT_TZ(a, 'UTC', 'Europe/Rome') FROM t", 'CONVERT_TZ with a time zone that is not a literal offset'],
    ['SELECT SQL_CALC_FOUND_ROWS a FROM t', 'SQL_CALC_FOUND_ROWS'],
    ["SELECT a FROM t ORDER BY JSON_EXTRACT(a, '$.b')", 'ORDER BY of JSON'],
    ["SELECT JSON_EXTRACT(a, '$.b') AS b FROM t ORDER BY b", 'ORDER BY of JSON'],
    ["SELECT MAX(JSON_EXTRACT(a, '$.b')) FROM t", 'MAX of JSON'],
    ['SELECT * FROM t NATURAL JOIN u', 'SELECT * with NATURAL JOIN or RIGHT JOIN … USING'],
    ['SELECT * FROM t RIGHT JOIN u USING (a)', 'SELECT * with NATURAL JOIN or RIGHT JOIN … USING'],
    ['SELECT a FROM t, DUAL', 'DUAL with other tables'],
    ['SELECT a FROM (SELECT a FROM t)', 'A derived table without a name'],
    ["SELECT DATE '01-01-01'", "The literal DATE '01-01-01'"],
    ['SELECT (a, b) > ALL (SELECT 1, 2) FROM t', 'A row before > ALL'],
    [
      'WITH RECURSIVE c AS (SELECT 1 AS n UNION SELECT n + 1 FROM c LIMIT 1) SELECT * FROM c',
      'ORDER BY or LIMIT of a UNION in WITH RECURSIVE',
    ],
    ['SELECT CAST(a AS DECIMAL(65, 30)) FROM t', 'CAST(… AS DECIMAL(65))'],
    ['SELECT * FROM t JOIN u USING (a, b)', 'SELECT * with several columns in USING'],
    [
      'SELECT * FROM t JOIN u USING (a) JOIN v ON v.b = u.b',
      'SELECT * with several columns in USING, or with USING and other joins',
    ],
    ['SELECT * FROM v, t JOIN u USING (a)', 'SELECT * with several columns in USING, or with USING and other joins'],
    ['SELECT * FROM (t NATURAL JOIN u), v', 'SELECT * with NATURAL JOIN or USING in parentheses'],
    ['SELECT 1 FROM (t, u JOIN v ON u.a = v.a)', 'A comma and a JOIN in parentheses'],
    ["SELECT YEAR('20-02-09')", "'20-02-09' as a date"],
    ["SELECT MONTH('2020-00-10')", "'2020-00-10' as a date"],
    ["SELECT '2020.02.29' + INTERVAL 1 DAY", "'2020.02.29' as a date"],
    ["SELECT DATE('2020-02-29 and more')", "'2020-02-29 and more' as a date"],
    ["SELECT DATE(a) > '26-06-01' FROM t", "'26-06-01' as a date"],
    ["SELECT a FROM t WHERE b < '2005-12-01 24:00:00'", "'2005-12-01 24:00:00' as a date"],
    ['SELECT 1 AS `` FROM t', 'An empty name'],
    ['SELECT 0b101', 'The literal 0b101'],
    ["SELECT HOUR('2020-02-29')", "'2020-02-29' as a time"],
    ['SELECT TIME(101112)', "'101112' as a time"],
    ['SELECT a, a AS b, COUNT(*) FROM t GROUP BY a, b WITH ROLLUP', 'WITH ROLLUP with the same key twice'],
    ['SELECT a, COUNT(*) FROM t GROUP BY a, 1 WITH ROLLUP', 'WITH ROLLUP with the same key twice'],
    ['SELECT -c AS c FROM t JOIN u GROUP BY c WITH ROLLUP', 'WITH ROLLUP by c, a column and an output'],
    ['SELECT COUNT(*) FROM t GROUP BY (a), t.a WITH ROLLUP', 'WITH ROLLUP with the same key twice'],
    ["SELECT DATE('2024-01-05 10:11:12+02:00')", "'2024-01-05 10:11:12+02:00' as a date"],
    ["SELECT a + INTERVAL '1:30' HOUR_MINUTE FROM t", 'An INTERVAL of two units'],
    ['SELECT t.* AS x FROM t', '* with an alias'],
    ['SELECT YEAR((a, b)) FROM t', 'A row as one value'],
    ['SELECT a = (b, c) FROM t', 'A row as one value'],
    ['(SELECT a FROM t) FOR UPDATE', 'a query cannot lock rows'],
    ['(SELECT a FROM t) LOCK IN SHARE MODE', 'a query cannot lock rows'],
    ["SELECT a = b NOT LIKE 'x' FROM t", 'a comparison before LIKE or REGEXP with NOT'],
    ['SELECT FORMAT(a, b) FROM t', 'FORMAT with a number of digits that is not a literal'],
    ['SELECT ROUND(a, b) FROM t', 'ROUND with a number of digits that is not a literal'],
    ['SELECT CAST(a AS YEAR) FROM t', 'CAST(… AS YEAR)'],
    ['SELECT a COLLATE latin1_swedish FROM t', 'The collation latin1_swedish'],
    ['SELECT a COLLATE utf8mb4_bin FROM t', 'The collation utf8mb4_bin'],
    ['SELECT CONVERT(a USING utf8mb4) FROM t', 'CAST(… AS CHARACTER_SET)'],
    ['SELECT GROUP_CONCAT(a ORDER BY 1) FROM t', 'GROUP_CONCAT ordered by a number'],
    ['SELECT GROUP_CONCAT(a LIMIT 1) FROM t', 'LIMIT in GROUP CONCAT'],
    ["SELECT JSON_EXTRACT(a, '$[*]') FROM t", 'The JSON path $[*] with a wildcard'],
    ['SELECT 1 UNION SELECT 2 INTERSECT SELECT 2', 'INTERSECT after UNION'],
    ['SELECT 1; SELECT 2', 'the SQL has more than one statement'],
    ['DELETE FROM t', 'DELETE'],
    ['SELECT /*!50000 1 */ 2', 'only some databases execute a comment of the form'],
    ['SELECT LEFT(a) FROM t', 'LEFT with 1 argument'],
    [String.raw`SELECT 'a\0b'`, 'A text with the character NUL'],
    ['SELECT FROM WHERE', 'The SQL cannot be read'],
  ];
  for (const [sql, construct] of REJECTED) {
    it(`rejects ${sql}`, () => {
      expect(() => translate(sql)).to.throw(UntranslatableSqlError, construct);
    });
  }
});

describe('parameters of a translated query', () => {
  let database: EmbeddedDatabase;
  before(async () => {
    database = await openTestDatabase({ readers: 1 });
    await database.write((connection) =>
      connection.run(
        "CREATE TABLE t AS SELECT DATE '2020-01-31' AS day, TIMESTAMP '2020-01-31 10:00:00' AS at, 7 AS n, 'Ann' AS name",
      ),
    );
  });
  after(() => database.close());

  const CASES: readonly (readonly [string, readonly BoundValue[], readonly (string | number | null)[]])[] = [
    ['SELECT :p1 - INTERVAL 28 DAY AS a', ['2020-03-01'], ['2020-02-02 00:00:00']],
    ['SELECT DATE(:p1) - INTERVAL :p2 DAY AS a', ['2020-03-01', 1], ['2020-02-29']],
    ['SELECT CONCAT(:p1, :p2) AS a', ['x', 5], ['x5']],
    ['SELECT DATE(:p1) AS a, YEAR(:p1) AS b', ['2020-03-01 10:00:00'], ['2020-03-01', 2020]],
    ['SELECT COUNT(*) AS a FROM t WHERE day >= :p1 AND at <= :p2', ['2020-01-31', '2020-01-31 10:00:00'], [1]],
    ['SELECT COUNT(*) AS a FROM t WHERE day BETWEEN :p1 AND :p2', ['2020-01-01', '2020-02-01'], [1]],
    ['SELECT COUNT(*) AS a FROM t WHERE day > :p1 - INTERVAL 1 MONTH', ['2020-02-29'], [1]],
    ['SELECT COUNT(*) AS a FROM t WHERE name = :p1 AND name LIKE :p2', ['Ann', 'A%'], [1]],
    ['SELECT COUNT(*) AS a FROM t WHERE LOWER(name) = LOWER(:p1) AND name <> :p1', ['ANN'], [1]],
    ['SELECT COUNT(*) AS a FROM t WHERE name LIKE :p1', ['\\'], [0]],
    ['SELECT COUNT(*) AS a FROM t WHERE n = :p1 AND n IN (:p1, :p2)', [7, 8], [1]],
    ['SELECT n / :p1 AS a, n % :p1 AS b, :p1 * 2 AS c FROM t', [2], ['3.5000', 1, 4]],
    ['SELECT n / :p1 AS a, IFNULL(:p1, 0) AS b, n + :p1 AS c FROM t', [null], [null, 0, null]],
    ['SELECT IF(:p1, 1, 0) AS a, :p1 = 1 AS b', [true], [1, 1]],
    ['SELECT n AS a FROM t LIMIT :p1 OFFSET :p2', [1, 0], [7]],
    [
      "SELECT :p1 AS a FROM t WHERE name = ''' OR 1 = 1 -- ' OR n = 7",
      ["'; DROP TABLE t; --"],
      ["'; DROP TABLE t; --"],
    ],
  ];
  for (const [sql, values, expected] of CASES) {
    it(`${sql} with ${JSON.stringify(values)}`, async () => {
      // The second execution uses a kept plan if the types of the values allow it.
      for (let run = 0; run < 2; run++) {
        const { rows } = await database.query(database.prepare(sql), values, { maxRows: 5, timeoutMs: 10_000 });
        expect(rows).to.deep.equal([expected]);
      }
    });
  }

  for (const [sql, value] of [
    ['SELECT n FROM t WHERE day >= :p1', '2020-01-31 10:00:00'],
    ['SELECT n FROM t WHERE n = :p1', '6.5'],
  ] as const) {
    it(`rejects ${value} and does not truncate it, in ${sql}`, async () => {
      const query = database.prepare(sql);
      const answer = database.query(query, [value], { maxRows: 5, timeoutMs: 10_000 });
      expect(await messageOf(answer))
        .to.match(/^Parameter 1 is compared with an? .*, got /)
        .and.to.contain(`got ${value}.`);
    });
  }
});
