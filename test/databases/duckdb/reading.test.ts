import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../engine/databases/duckdb/embedded.js';
import { eventually } from '../../services/eventually.js';
import { codeOf, errorOf } from '../failures.js';
import { openTestDatabase } from './open-test-database.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };
/** A query that runs for minutes unless it is stopped. */
const ENDLESS = { sql: 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11' };

describe('reading from the embedded database file', () => {
  let database: EmbeddedDatabase;
  const read = (sql: string) => database.query({ sql }, [], SOON);

  beforeEach(async () => {
    database = await openTestDatabase({ readers: 1 });
  });
  afterEach(() => database.close());

  it('returns rows from a cached statement that were inserted after it was planned', async () => {
    const groups = 'SELECT kind, SUM(size) FROM things GROUP BY kind ORDER BY kind';
    const large = 'SELECT COUNT(*) FROM things WHERE size > 100';
    const add = (sql: string) => database.write((connection) => connection.run(sql));
    await add("CREATE TABLE things AS SELECT 'a' AS kind, 1 AS size");
    expect([(await read(groups)).rows, (await read(large)).rows]).to.deep.equal([[['a', 1]], [[0]]]);
    await add("INSERT INTO things VALUES ('much longer', 1000000)");
    expect([(await read(groups)).rows, (await read(large)).rows]).to.deep.equal([
      [
        ['a', 1],
        ['much longer', 1000000],
      ],
      [[1]],
    ]);
  });

  it('describes a query whose types depend on its values, and checks all of its columns', async () => {
    await database.write((connection) => connection.run('CREATE TABLE things AS SELECT 1 AS size'));
    const describe = (sql: string) => database.describe?.({ sql }, SOON);
    const size = { name: 'size', type: 'INT' };
    expect(await describe('SELECT size * $1 AS score, size FROM things ORDER BY 1')).to.deep.equal([
      { name: 'score', type: 'INT' },
      size,
    ]);
    expect(await describe('SELECT size FROM things WHERE size / $2 > $1 LIMIT $3')).to.deep.equal([size]);
    expect(
      await describe('SELECT 2.50::DECIMAL(9, 2) AS a, SUM(size) AS b, size / 2 AS c FROM things GROUP BY size'),
    ).to.deep.equal([
      { name: 'a', type: 'DECIMAL', scale: 2 },
      { name: 'b', type: 'DECIMAL', scale: 0 },
      { name: 'c', type: 'DOUBLE' },
    ]);
    expect(
      (await errorOf(describe('SELECT size * $1 AS score, nothing FROM things') as Promise<unknown>)).message,
    ).to.contain('nothing');
  });

  it('rejects functions that could fill the memory with text', async () => {
    for (const text of [
      "REPEAT('ab', 2000000000)",
      "LPAD('a', 2000000, 'b')",
      "RPAD('a', 2000000, 'b')",
      'SPACE(70000)',
    ]) {
      const query = database.prepare(`SELECT ${text} AS long_text`);
      const { message } = await errorOf(database.query(query, [], SOON));
      expect(message, text).to.include('a repeated text must not exceed 65,536 bytes');
    }
  });

  it('returns every type exactly, with the type names of the MySQL dialect', async () => {
    const { columns, rows, more } = await read(`SELECT true AS flag, 9007199254740993 AS large, 12 AS small,
      170141183460469231731687303715884105727 AS huge, -0.05::DECIMAL(6, 3) AS price, 0.25::DOUBLE AS rate,
      DATE '2020-02-29' AS day, TIMESTAMP '1969-12-31 23:59:59.5' AS past, TIMESTAMP '2020-01-02 03:04:05' AS at,
      TIME '01:02:03' AS clock, 'a' AS text, 'ab'::BLOB AS bytes, [1, 2] AS list, {'a': NULL} AS pair, NULL AS nothing`);
    expect(columns.map(({ name, type }) => `${name} ${type}`).join(', ')).to.equal(
      'flag TINYINT, large BIGINT, small INT, huge DECIMAL, price DECIMAL, rate DOUBLE, day DATE, past DATETIME, ' +
        'at DATETIME, clock TIME, text VARCHAR, bytes BLOB, list JSON, pair JSON, nothing INT',
    );
    expect(rows).to.deep.equal([
      [
        1,
        9007199254740993n,
        12,
        170141183460469231731687303715884105727n,
        '-0.050',
        0.25,
        '2020-02-29',
        '1969-12-31 23:59:59.500000',
        '2020-01-02 03:04:05',
        '01:02:03',
        'a',
        '0x6162',
        '[1,2]',
        '{"a":null}',
        null,
      ],
    ]);
    expect(more).to.equal(false);
  });

  it('has no NaN, no infinity, and no day before the year 1 or after 9999', async () => {
    for (const number of ["'NaN'", "'Infinity'", "'-Infinity'"]) {
      const { message } = await errorOf(read(`SELECT ${number}::DOUBLE AS x`));
      expect(message, number).to.equal('A number is out of range: a DOUBLE in the result is infinite or NaN.');
    }
    const { rows } = await read(`SELECT DATE '0001-01-01' AS a, DATE '0001-01-01' - 1 AS b, DATE '9999-12-31' AS c,
      DATE '9999-12-31' + 1 AS d, TIMESTAMP '9999-12-31 23:59:59.999999' AS e, TIMESTAMP '10000-01-01 00:00:00' AS f`);
    expect(rows).to.deep.equal([['0001-01-01', null, '9999-12-31', null, '9999-12-31 23:59:59.999999', null]]);
  });

  it('stops the queries of 50 callers that disconnect, and answers the next one', async () => {
    await database.close();
    database = await openTestDatabase({ readers: 4 });
    const callers = Array.from({ length: 50 }, () => new AbortController());
    const codes = callers.map(({ signal }) => codeOf(database.query(ENDLESS, [], { ...SOON, signal })));
    await eventually(() => database.pool?.busy === 4);
    for (const caller of callers) caller.abort();
    expect(new Set(await Promise.all(codes))).to.deep.equal(new Set(['query_cancelled']));
    // A connection stays busy until its query has ended in the database.
    await eventually(() => database.pool?.busy === 0);
    expect((await read('SELECT 1')).rows).to.deep.equal([[1]]);
  });

  it('only reads its tables', async () => {
    for (const sql of [
      "SELECT * FROM read_text('/etc/hostname')",
      "SELECT * FROM '/etc/hostname'",
      "COPY (SELECT 1) TO '/tmp/embedded-copy.csv'",
      "ATTACH '/tmp/embedded-other.db'",
      'INSTALL httpfs',
      "LOAD '/tmp/extension'",
      'SET enable_external_access = true',
      'SET threads = 1',
      'CREATE TABLE t (a INT)',
      'EXPLAIN ANALYZE CREATE TABLE t (a INT)',
      'EXPLAIN EXPLAIN ANALYZE CREATE TABLE t (a INT)',
      'SELECT 1; SELECT 2',
    ]) {
      expect(await errorOf(read(sql)), sql).to.be.an('error');
    }
  });

  it('explains a query without running it', async () => {
    const plan = await database.explain(database.prepare('SELECT :p1 AS a FROM DUAL'), [1], SOON);
    expect(plan.columns.map((column) => column.name)).to.deep.equal(['explain_key', 'explain_value']);
    expect(String(plan.rows[0]?.[1])).to.contain('DUMMY_SCAN');
  });
});
