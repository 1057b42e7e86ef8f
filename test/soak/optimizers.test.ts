import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { createRandom, type Random } from '../../demo/world/random.js';
import { createMacros, instanceOptions } from '../../engine/databases/duckdb/connection/settings.js';
import { translate } from '../../engine/sql/duckdb/translate.js';
import { createRandomSelect, type RandomSelect } from '../engine/row-filter/random-select.js';
import { describeEmbedded } from '../services/server.js';
import { record, seedOf } from './report.js';

/** The number can be increased with `OPTIMIZED_QUERIES` for a long run. */
const QUERIES = Number(process.env.OPTIMIZED_QUERIES ?? 5_000);

const TABLES = [
  'CREATE TABLE customers AS SELECT i AS id, i % 3 AS tenant_id, CASE WHEN i % 4 = 0 THEN NULL ELSE i * 3 % 7 END AS region FROM range(1, 9) t(i)',
  'CREATE TABLE orders AS SELECT i AS id, i % 3 AS tenant_id, CASE WHEN i % 5 = 0 THEN NULL ELSE i * 5 % 11 END AS customer_id, i % 6 AS amount FROM range(1, 11) t(i)',
  'CREATE TABLE items AS SELECT i AS id, i % 3 AS tenant_id, i * 7 % 13 AS order_id, CASE WHEN i % 7 = 0 THEN NULL ELSE i % 5 END AS amount FROM range(1, 11) t(i)',
];

/** A fault of an optimizer of DuckDB is a wrong answer without an error. It can depend on the number of threads. */
describeEmbedded('random queries with and without the optimizers of DuckDB', () => {
  it(`have the same rows in ${QUERIES} queries`, async () => {
    const random = createRandom(seedOf('optimizers'), 'optimizers');
    const plain = await open(1, true);
    const optimized = [await open(1, false), await open(2, false)];
    let [answered, failed, slow] = [0, 0, 0];
    for (let number = 0; number < QUERIES; number += 1) {
      const select = createRandomSelect(random, 2);
      const sql = random.chance(0.5) ? select.sql : joinFirstRows(select, random);
      const expected = await readRows(plain, sql);
      // Joins of many tables can have more rows than fit into the memory, or than can be read in time.
      if (expected === undefined || expected === SLOW) continue;
      for (const connection of optimized) {
        const rows = await readRows(connection, sql);
        if (rows === SLOW) slow += 1;
        else if (rows === undefined) failed += 1;
        else expect(rows, sql).to.equal(expected);
      }
      if (expected !== '') answered += 1;
    }
    record(
      'optimizers',
      `${QUERIES} queries, ${answered} with rows, ${failed} with an error of an optimizer, ${slow} too slow`,
    );
    expect(answered).to.be.greaterThan(QUERIES / 3);
    expect(failed).to.be.below(QUERIES / 1000);
  });
});

/** Returns a query that joins some of the first rows of another one with one row of a table. */
function joinFirstRows({ sql, width }: RandomSelect, random: Random): string {
  const columns = Array.from({ length: width }, (_, index) => `c${index + 1}`).join(', ');
  const first = `SELECT * FROM (${sql}) AS q ORDER BY ${columns} LIMIT ${1 + random.below(4)} OFFSET ${random.below(3)}`;
  return `SELECT f.* FROM (${first}) AS f JOIN customers t ON t.id = f.c1 WHERE t.id = ${1 + random.below(6)}`;
}

/** Opens a database in memory with the settings of the service, or without any optimizer. */
async function open(threads: number, isPlain: boolean): Promise<DuckDBConnection> {
  const settings = { memoryLimit: '256MB', threads, tempDirectory: undefined };
  const instance = await DuckDBInstance.create(':memory:', instanceOptions(settings));
  const connection = await instance.connect();
  await createMacros(connection);
  for (const table of TABLES) await connection.run(table);
  if (isPlain) {
    const names = (await connection.runAndReadAll('SELECT name FROM duckdb_optimizers()')).getRowsJson().flat();
    await connection.run(`SET disabled_optimizers = '${names.join(',')}'`);
  }
  return connection;
}

/**
 * Returns the rows in a fixed order, one per line. Undefined if they are too many for the memory, or an optimizer failed; `slow` if the query
 * exceeds its time limit.
 */
async function readRows(connection: DuckDBConnection, sql: string): Promise<string | undefined> {
  const limit = setTimeout(() => connection.interrupt(), LIMIT_MS);
  const rows = await connection
    .streamAndReadUntil(translate(sql), MAX_ROWS)
    .catch((error: unknown) => {
      if (/INTERRUPT/.test(String(error))) return SLOW;
      if (/Out of Memory|unordered_map::at/.test(String(error))) return undefined;
      throw new Error(`${sql} failed: ${String(error)}`);
    })
    .finally(() => clearTimeout(limit));
  if (rows === undefined || rows === SLOW) return rows;
  if (!rows.done) return undefined;
  return rows
    .getRowsJson()
    .map((row) => row.join(' | '))
    .sort()
    .join('\n');
}

const SLOW = 'slow';
const MAX_ROWS = 100_000;
const LIMIT_MS = 5_000;
