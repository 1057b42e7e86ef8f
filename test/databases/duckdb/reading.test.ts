import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../../databases/duckdb/embedded.js';
import { eventually } from '../../services/eventually.js';
import { codeOf, errorOf } from '../failures.js';
import { opened } from './opened.js';

const SOON = { maxRows: 10, timeoutMs: 10_000 };
/** Runs for minutes unless it is stopped. */
const ENDLESS = { sql: 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11' };

describe('reading from the embedded database', () => {
  let database: EmbeddedDatabase;
  const read = (sql: string, values: Parameters<EmbeddedDatabase['query']>[1] = []) =>
    database.query({ sql }, values, SOON);

  beforeEach(async () => {
    database = await opened({ readers: 1, maxWaiting: 1, maxWaitMs: 300 });
  });
  afterEach(() => database.close());

  it('answers by a statement that it keeps about rows that came after it was planned', async () => {
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

  it('makes no text that could eat all memory', async () => {
    for (const text of [
      "REPEAT('ab', 2000000000)",
      "LPAD('a', 2000000, 'b')",
      "RPAD('a', 2000000, 'b')",
      'SPACE(70000)',
    ]) {
      const query = database.prepare(`SELECT ${text} AS long_text`);
      const { message } = await errorOf(database.query(query, [], SOON));
      expect(message, text).to.include('a text may not be made longer than 65,536 bytes');
    }
  });

  it('hands over every type without loss, under the names of the MySQL dialect', async () => {
    const { columns, rows, more } = await read(`SELECT true AS flag, 9007199254740993 AS large, 12 AS small,
      170141183460469231731687303715884105727 AS huge, -0.05::DECIMAL(6, 3) AS price, 0.25::DOUBLE AS rate,
      DATE '2020-02-29' AS day, TIMESTAMP '1969-12-31 23:59:59.5' AS past, TIMESTAMP '2020-01-02 03:04:05' AS at,
      TIME '01:02:03' AS clock, 'a' AS text, 'ab'::BLOB AS bytes, [1, 2] AS list, {'a': NULL} AS pair, NULL AS nothing,
      'NaN'::DOUBLE AS undefined`);
    expect(columns.map(({ name, type }) => `${name} ${type}`).join(', ')).to.equal(
      'flag TINYINT, large BIGINT, small INT, huge DECIMAL, price DECIMAL, rate DOUBLE, day DATE, past DATETIME, ' +
        'at DATETIME, clock TIME, text VARCHAR, bytes BLOB, list JSON, pair JSON, nothing INT, undefined DOUBLE',
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
        null,
      ],
    ]);
    expect(more).to.equal(false);
  });

  it('binds text, numbers, booleans and NULL', async () => {
    const query = database.prepare('SELECT :p2 AS b, :p1 AS a, :p3 + 1 AS c, :p4 AS d, :p1 AS again, :p5 AS e');
    const { rows } = await database.query(query, ["it's", 2.5, true, null, 12345678901234567890n], SOON);
    expect(rows).to.deep.equal([[2.5, "it's", 2, null, "it's", 12345678901234567890n]]);
  });

  it('stops reading after the rows that were asked for and says that there are more', async () => {
    const all = await database.query({ sql: 'SELECT range FROM range(10)' }, [], SOON);
    expect([all.rows.length, all.more]).to.deep.equal([10, false]);
    const some = await database.query({ sql: 'SELECT range FROM range(100000000000)' }, [], SOON);
    expect([some.rows.length, some.more]).to.deep.equal([10, true]);
  });

  it('stops a query in the database when its time is over, and the next one is not hit', async () => {
    for (let round = 0; round < 20; round++) {
      expect(await codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 5 }))).to.equal('query_timeout');
      expect((await read('SELECT 42')).rows).to.deep.equal([[42]]);
    }
  });

  it('never hits a later query with the interrupt of one that ended at the same moment', async () => {
    for (let round = 0; round < 200; round++) {
      const short = { sql: `SELECT sum(range) FROM range(${1000 * (round % 50)})` };
      await codeOf(database.query(short, [], { maxRows: 1, timeoutMs: round % 3 }));
      expect((await read('SELECT count(*) FROM range(10000)')).rows).to.deep.equal([[10000]]);
    }
  });

  it('stops a query whose caller went away', async () => {
    const caller = new AbortController();
    const running = codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 60_000, signal: caller.signal }));
    caller.abort();
    expect(await running).to.equal('query_cancelled');
    expect(await codeOf(database.query(ENDLESS, [], { ...SOON, signal: AbortSignal.abort() }))).to.equal(
      'query_cancelled',
    );
    expect((await read('SELECT 1')).rows).to.deep.equal([[1]]);
  });

  it('leaves the processor idle within a second after 50 callers went away', async () => {
    await database.close();
    database = await opened({ readers: 4 });
    let since = { cpu: process.cpuUsage(), at: performance.now() };
    /** Whether the share of one processor that the process had since the last look is right. */
    const hasUsed = (isRight: (share: number) => boolean) => () => {
      const ms = performance.now() - since.at;
      if (ms < 50) return false;
      const { user, system } = process.cpuUsage(since.cpu);
      since = { cpu: process.cpuUsage(), at: performance.now() };
      return isRight((user + system) / 1000 / ms);
    };
    const callers = Array.from({ length: 50 }, () => new AbortController());
    const codes = callers.map(({ signal }) => codeOf(database.query(ENDLESS, [], { ...SOON, signal })));
    await eventually(
      5_000,
      hasUsed((share) => share > 0.5),
    );
    for (const caller of callers) caller.abort();
    await eventually(
      1_000,
      hasUsed((share) => share < 0.25),
    );
    expect(new Set(await Promise.all(codes))).to.deep.equal(new Set(['query_cancelled']));
    expect((await read('SELECT 1')).rows).to.deep.equal([[1]]);
  });

  it('lets few queries wait for a reader, for a limited time', async () => {
    const running = codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 1_000 }));
    const waiting = codeOf(read('SELECT 1'));
    const refused = codeOf(read('SELECT 2'));
    expect(await refused).to.equal('overloaded');
    expect(await waiting).to.equal('overloaded');
    expect(await running).to.equal('query_timeout');
    expect((await read('SELECT 3')).rows).to.deep.equal([[3]]);
  });

  it('reads no more bytes than it may', async () => {
    await database.close();
    database = await opened({ readers: 1, maxResultBytes: 1024 * 1024 });
    const sql = "SELECT i, repeat('x', 1000) AS text FROM range(100000) numbers(i)";
    const limits = { maxRows: 1_000_000, timeoutMs: 10_000 };
    for (const limit of ['', ' LIMIT 2000']) {
      const error = await errorOf(database.query({ sql: sql + limit }, [], limits));
      expect(error.message).to.equal('The result is larger than 1 MB, the most that is read: ask for less.');
    }
    const { rows, more } = await database.query({ sql: `${sql} LIMIT 900` }, [], limits);
    expect([rows.length, more]).to.deep.equal([900, false]);
  });

  it('keeps prepared statements within a limit, and makes them anew when a table changes', async () => {
    await database.close();
    database = await opened({ readers: 1, statements: 2 });
    for (let round = 0; round < 3; round++) {
      for (const n of [1, 2, 3, 4]) expect((await read(`SELECT ${n} + $1`, [1])).rows).to.deep.equal([[n + 1]]);
    }
    await database.write((connection) => connection.run('CREATE TABLE t AS SELECT 1 AS a'));
    expect((await read('SELECT * FROM t')).rows).to.deep.equal([[1]]);
    await database.write((connection) => connection.run("ALTER TABLE t ADD COLUMN b VARCHAR DEFAULT 'x'"));
    const { columns, rows } = await read('SELECT * FROM t');
    expect([columns.map((column) => column.type), rows]).to.deep.equal([['INT', 'VARCHAR'], [[1, 'x']]]);
  });

  it('reads nothing but its tables', async () => {
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

  it('answers a ping until it is closed', async () => {
    await database.ping(1_000);
    await database.close();
    expect(await codeOf(database.ping(1_000))).to.equal('database_unavailable');
    expect(await codeOf(read('SELECT 1'))).to.equal('database_unavailable');
  });
});
