import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import { guardSql } from '../../engine/sql/guard/guard-sql.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { toPortableSql } from '../../engine/sql/portable-sql.js';
import { createSqlReader } from '../../engine/sql/reading/sql-reader.js';
import { translateForTidb } from '../../engine/sql/tidb/translate.js';
import { openTestDatabase } from '../databases/duckdb/open-test-database.js';

/** Expressions whose text becomes a name, or that try to leave it. The column `hidden` and the rows with `public = 0` are private. */
const EXPRESSIONS: readonly string[] = [
  `'a"b'`,
  `'a\`b'`,
  `'a''b'`,
  String.raw`'a\\'`,
  String.raw`CONCAT(b, '\', hidden -- ')`,
  `'", hidden AS "x'`,
  `'\`, hidden AS \`x'`,
  `'x') FROM secret -- '`,
  '`b`',
  '`b"b`',
  '(b)',
  '((a))',
  "DATE '2024-01-05'",
  "'20-1-5' + INTERVAL 1 DAY",
  'a /* , hidden */ + 1',
  'a -- hidden\n + 1',
  "'\u{1f600}'",
  `'${'n'.repeat(300)}'`,
  'COUNT( * )',
  'ANY_VALUE(hidden)',
  'hidden',
  't.hidden',
  "b -> '$.x'",
  "LAG(b, 1, 'x') OVER (ORDER BY a)",
  'a IN (SELECT a FROM t LIMIT 1)',
  '(SELECT hidden FROM secret)',
  '(SELECT MAX(`COUNT(*)`) FROM (SELECT COUNT(*) FROM t) AS d)',
  '(a, b)',
  't.*',
  "JSON_VALID(CONCAT('[', b, ',]'))",
];

/** SELECTs around an expression. */
const SHAPES: readonly (readonly [string, (expression: string) => string])[] = [
  ['a SELECT', (x) => `SELECT ${x} FROM t`],
  ['a derived table', (x) => `SELECT * FROM (SELECT ${x} FROM t) AS q`],
  [
    'a derived table that is read by name',
    (x) => `SELECT \`${x.replaceAll('`', '``')}\` FROM (SELECT ${x} FROM t) AS q`,
  ],
  ['WITH', (x) => `WITH w AS (SELECT ${x} FROM t), v AS (SELECT * FROM w) SELECT v.* FROM v`],
  ['a UNION', (x) => `SELECT b FROM t UNION ALL SELECT ${x} FROM t`],
  ['a subquery', (x) => `SELECT (SELECT ${x} FROM t LIMIT 1) FROM t`],
  ['IN', (x) => `SELECT a FROM t WHERE b IN (SELECT ${x} FROM t)`],
  ['GROUP BY', (x) => `SELECT ${x}, COUNT(*) FROM t GROUP BY ${x} ORDER BY ${x}`],
];

const TABLES = new Map([['t', { columns: ['a', 'b', 'public'], where: 'public = 1' }]]);

/** Defines a test for each pair of an expression and a SELECT around it that `isTested` accepts. It gets their places in the lists. */
export function testHostileTexts(isTested: (expression: number, shape: number) => boolean): void {
  describe('the playground: hostile texts in names and derived tables', () => {
    let database: EmbeddedDatabase;
    before(async () => {
      database = await openTestDatabase({ readers: 1 });
      await database.write(async (connection) => {
        await connection.run('CREATE TABLE t (a INTEGER, b VARCHAR, hidden VARCHAR, public INTEGER)');
        await connection.run(
          "INSERT INTO t VALUES (1, 'x', 'PRIVATE', 1), (2, 'y', 'PRIVATE', 1), (3, 'PRIVATE', 'PRIVATE', 0)",
        );
        await connection.run("CREATE TABLE secret AS SELECT 'PRIVATE' AS hidden");
      });
    });
    after(() => database.close());

    for (const [shape, [title, write]] of SHAPES.entries()) {
      for (const expression of EXPRESSIONS.filter((_, place) => isTested(place, shape))) {
        it(`reads nothing private in ${title}: ${JSON.stringify(expression).slice(0, 80)}`, async () => {
          const answer = await ask(write(expression));
          expect(JSON.stringify(answer)).not.to.include('PRIVATE');
          // An error of DuckDB without an explanation.
          expect(JSON.stringify(answer)).not.to.match(/[A-Z]\w+ Error: |INTERNAL/);
        });
      }
    }

    /** Returns the rows of a query that the guard accepts, or the message of its error. */
    async function ask(sql: string): Promise<unknown> {
      let guarded: string;
      try {
        guarded = guardSql(sql, TABLES).sql;
      } catch (error) {
        expect(error).to.be.instanceOf(SqlRejectedError);
        return 'rejected';
      }
      // The texts for servers are also one SELECT.
      expect(createSqlReader()(translateForTidb(toPortableSql(guarded)))).to.have.property('findings');
      const query = database.prepare(guarded);
      return database.query(query, [], { maxRows: 100, timeoutMs: 600_000 }).then(
        ({ columns, rows }) => ({ columns: columns.length, rows: rows.map((row) => row.map(String)) }),
        (error: Error) => error.message,
      );
    }
  });
}
