import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { translate } from '../../../engine/sql/duckdb/translate.js';
import { openTestDatabase } from './open-test-database.js';

const LIMITS = { maxRows: 10, timeoutMs: 600_000 };
/** The repositories 4 and 1, which have the most stars. */
const FIRST_TWO = '(SELECT s.id AS k FROM stars s JOIN names n ON n.id = s.id ORDER BY s.stars DESC LIMIT 2)';
/** The repositories 3 and 2. */
const OTHERS = '(SELECT s.id AS k FROM stars s JOIN names n ON n.id = s.id ORDER BY s.stars DESC LIMIT 9 OFFSET 2)';

/** With one thread, DuckDB 1.5 always applies the conditions of a join before a LIMIT; with more threads, only sometimes. */
describe('a query that joins the rows of a query with a LIMIT, with one thread', () => {
  let database: EmbeddedDatabase;
  before(async () => {
    database = await openTestDatabase({ readers: 1, threads: 1 });
    await database.write(async (connection) => {
      await connection.run(
        'CREATE TABLE stars AS SELECT * FROM (VALUES (1, 70), (2, 10), (3, 20), (4, 90)) t(id, stars)',
      );
      await connection.run('CREATE TABLE names AS SELECT id FROM stars');
    });
  });
  after(() => database.close());

  for (const [sql, expected] of [
    [`SELECT c.k FROM ${FIRST_TWO} c JOIN names n ON n.id = c.k WHERE n.id = 3`, []],
    [`SELECT c.k FROM ${FIRST_TWO} c JOIN names n ON n.id = c.k WHERE n.id = 4`, [4]],
    [`SELECT c.k FROM ${FIRST_TWO} c WHERE c.k IN (SELECT id FROM names WHERE id = 3)`, []],
    [`WITH c AS ${FIRST_TWO} SELECT c.k FROM c JOIN names n ON n.id = c.k WHERE n.id = 3`, []],
    [`SELECT c.k FROM (${FIRST_TWO} UNION ALL ${FIRST_TWO}) c JOIN names n ON n.id = c.k WHERE n.id = 3`, []],
    [`SELECT c.k FROM (SELECT k FROM ${FIRST_TWO} f) c JOIN names n ON n.id = c.k WHERE n.id = 3`, []],
    [`SELECT c.k FROM ${OTHERS} c JOIN names n ON n.id = c.k WHERE n.id = 4`, []],
    [`SELECT c.k FROM ${OTHERS} c JOIN names n ON n.id = c.k WHERE n.id = 3`, [3]],
    [
      'WITH RECURSIVE r AS ((SELECT id AS x FROM stars ORDER BY stars LIMIT 1) UNION ALL SELECT x + 1 FROM r WHERE x < 4) SELECT x FROM r',
      [2, 3, 4],
    ],
  ] as const) {
    it(sql, async () => {
      const { rows } = await database.query({ sql: translate(sql) }, [], LIMITS);
      expect(rows).to.deep.equal(expected.map((k) => [k]));
    });
  }
});
