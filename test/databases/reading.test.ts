import { expect } from 'chai';
import type { Cell, Database } from '../../engine/databases/interface/database.js';
import { Deadline, withDeadline } from '../../engine/databases/interface/deadline.js';
import { cancelledError } from '../../engine/databases/interface/errors.js';
import { eventually } from '../services/eventually.js';
import { onEveryDriver } from './drivers.js';
import { codeOf, errorOf, messageOf } from './failures.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };

onEveryDriver('reading from', (driver) => {
  let database: Database;
  let other: Database | undefined;
  const read = (sql: string) => database.query({ sql }, [], SOON);
  /** Opens another database, which is closed after the test. */
  const openOther = async (options: Parameters<typeof driver.open>[0]) => {
    other = await driver.open({ connections: 1, ...options });
    return other;
  };
  /** A query that runs for minutes unless it is stopped. */
  const endless = {
    sql: `SELECT SUM(a.n * b.n % 7) AS s FROM ${driver.numbers(1e6, 'a')}, ${driver.numbers(1e6, 'b')}`,
  };

  before(async () => {
    database = await driver.open({ connections: 1, maxWaiting: 1 });
  });
  afterEach(async () => {
    await other?.close();
    other = undefined;
  });
  after(() => database?.close());

  it('binds text, numbers, booleans and NULL with their types', async () => {
    const query = database.prepare(
      "SELECT :p2 AS b, :p1 AS a, :p3 + 1 AS c, :p4 AS d, :p1 AS again, :p5 AS e, :p6 + 1 AS f, ':p1' AS text -- :p9",
    );
    const values = [2.5, "it's \u{1f600}", true, null, 18446744073709551615n, 41];
    const { rows } = await database.query(query, values, SOON);
    expect(rows).to.deep.equal([["it's \u{1f600}", 2.5, 2, null, 2.5, 18446744073709551615n, 42, ':p1']]);
  });

  it('names a column without a name as it is written, also if its SQL is rewritten', async () => {
    const sql = `SELECT  any_value( n ) , 1 IN (SELECT n FROM (SELECT 1 AS n) AS u LIMIT 1), (n), n+1 AS m, \`n\`, DATE '2024-01-05', LAG(n, 1, 0) OVER (ORDER BY n)
      FROM (SELECT 1 AS n) AS t GROUP BY n`;
    const { columns, rows } = await database.query(database.prepare(sql), [], SOON);
    expect(columns.map(({ name }) => name)).to.deep.equal([
      'any_value( n )',
      '1 IN (SELECT n FROM (SELECT 1 AS n) AS u LIMIT 1)',
      'n',
      'm',
      'n',
      "DATE '2024-01-05'",
      'LAG(n, 1, 0) OVER (ORDER BY n)',
    ]);
    expect(rows).to.deep.equal([[1, 1, 1, 2, 1, '2024-01-05', 0]]);
  });

  it('also names columns of derived tables as they are written', async () => {
    const sql = `SELECT *, \`max( n )\` + 1 AS m
      FROM (SELECT max( n ), any_value(n), n  DIV 2, 'a' REGEXP '' FROM (SELECT 5 AS n) AS t GROUP BY n) AS d`;
    const { columns, rows } = await database.query(database.prepare(sql), [], SOON);
    const quoted = `SELECT n AS 'it''s', n+1 , 0x41 + 1 FROM (SELECT 5 AS n) AS t`;
    const { columns: others } = await database.query(database.prepare(quoted), [], SOON);
    expect(others.map(({ name }) => name)).to.deep.equal(["it's", 'n+1', '0x41 + 1']);
    const names = ['max( n )', 'any_value(n)', 'n  DIV 2', "'a' REGEXP ''", 'm'];
    expect(columns.map(({ name }) => name)).to.deep.equal(names);
    expect(rows).to.deep.equal([[5, 5, 2, 1, 6]]);
  });

  it('streams long texts in small batches, and short ones in large batches', async () => {
    const batchesOf = async (length: number) => {
      const batches: (readonly (readonly Cell[])[])[] = [];
      const receive = { columns: () => undefined, rows: (rows: (typeof batches)[number]) => void batches.push(rows) };
      const query = { sql: `SELECT n, REPEAT('x', ${length}) AS text FROM ${driver.numbers(3_000, 'a')}` };
      await withDeadline(
        { timeoutMs: 600_000 },
        (deadline) =>
          database.stream?.(query, [], { maxRows: 2_500, deadline, receive }) ??
          Promise.reject(new Error('no streams')),
      );
      const rows = batches.flat();
      expect(rows.every(([, text]) => text === 'x'.repeat(length))).to.equal(true);
      expect([rows.length, new Set(rows.map(([n]) => n)).size]).to.deep.equal([2_500, 2_500]);
      return batches.map(({ length: count }) => count);
    };
    expect((await batchesOf(20)).length).to.be.at.most(3);
    expect(Math.max(...(await batchesOf(20_000)))).to.be.at.most(60);
  });

  it('passes no rows on while the receiver has not taken the last ones', async () => {
    const working = await openOther({});
    const [now, most] = [{ receiving: 0 }, { receiving: 0 }];
    const rows = async () => {
      most.receiving = Math.max(most.receiving, ++now.receiving);
      // Unless the stream waits, its next rows arrive during this query.
      await working.query({ sql: `SELECT SUM(n) AS s FROM ${driver.numbers(100_000, 'a')}` }, [], SOON);
      now.receiving -= 1;
    };
    const query = { sql: `SELECT n FROM ${driver.numbers(20_000, 'a')}` };
    const receive = { columns: () => undefined, rows };
    await withDeadline({ timeoutMs: 600_000 }, (deadline) =>
      Promise.resolve(database.stream?.(query, [], { maxRows: 20_000, deadline, receive })),
    );
    expect(most.receiving).to.equal(1);
  });

  it('ends a stream when its caller disconnects, although the receiver has not taken the last rows', async () => {
    const single = await openOther({ maxWaitMs: 60_000 });
    const deadline = new Deadline({ timeoutMs: 600_000 });
    let next: ReturnType<Database['query']> | undefined;
    const rows = async () => {
      deadline.stop(cancelledError());
      // The rows are taken after a query that needs the connection of the stream.
      next = single.query({ sql: 'SELECT 1 AS n' }, [], SOON);
      await next;
    };
    const query = { sql: `SELECT n FROM ${driver.numbers(20_000, 'a')}` };
    const receive = { columns: () => undefined, rows };
    const stream = single.stream?.(query, [], { maxRows: 20_000, deadline, receive });
    expect(await codeOf(Promise.resolve(stream))).to.equal('query_cancelled');
    expect((await next)?.rows).to.deep.equal([[1]]);
    deadline.end();
  });

  it('stops after the requested number of rows and reports that there are more', async () => {
    const all = await read(`SELECT n FROM ${driver.numbers(10, 'a')}`);
    expect([all.rows.length, all.more]).to.deep.equal([10, false]);
    const limited = await read(`SELECT n FROM ${driver.numbers(20, 'a')} LIMIT 10`);
    expect([limited.rows.length, limited.more]).to.deep.equal([10, false]);
    const some = await read(`SELECT n FROM ${driver.numbers(1e9, 'a')}`);
    expect([some.rows.length, some.more]).to.deep.equal([10, true]);
    expect((await read('SELECT 42 AS n')).rows).to.deep.equal([[42]]);
  });

  it('stops a query in the database at its time limit, and does not stop the next one', async () => {
    await read('SELECT 1 AS n');
    for (let round = 0; round < 5; round++) {
      expect(await codeOf(database.query(endless, [], { maxRows: 1, timeoutMs: 5 }))).to.equal('query_timeout');
      expect((await read('SELECT 42 AS n')).rows).to.deep.equal([[42]]);
    }
  });

  it('never stops a later query when a query ends at its time limit', async () => {
    for (let round = 0; round < 40; round++) {
      const sql = `SELECT SUM(n) AS s FROM ${driver.numbers(1 + 1000 * round, 'a')}`;
      await codeOf(database.query({ sql }, [], { maxRows: 1, timeoutMs: round % 4 }));
      expect((await read(`SELECT COUNT(*) AS n FROM ${driver.numbers(1000, 'a')}`)).rows).to.deep.equal([[1000]]);
    }
  });

  it('stops a query when its caller disconnects', async () => {
    const caller = new AbortController();
    const running = codeOf(database.query(endless, [], { maxRows: 1, timeoutMs: 600_000, signal: caller.signal }));
    caller.abort();
    expect(await running).to.equal('query_cancelled');
    const gone = database.query(endless, [], { ...SOON, signal: AbortSignal.abort() });
    expect(await codeOf(gone)).to.equal('query_cancelled');
    expect((await read('SELECT 1 AS n')).rows).to.deep.equal([[1]]);
  });

  it('limits the number of waiting queries and their time', async () => {
    const limited = await openOther({ maxWaiting: 1, maxWaitMs: 300 });
    const ask = (sql: string) => codeOf(limited.query({ sql }, [], SOON));
    const caller = new AbortController();
    const running = codeOf(limited.query(endless, [], { maxRows: 1, timeoutMs: 600_000, signal: caller.signal }));
    const waiting = ask('SELECT 1 AS n');
    const rejected = ask('SELECT 2 AS n');
    expect(await rejected).to.equal('overloaded');
    expect(await waiting).to.equal('overloaded');
    caller.abort();
    expect(await running).to.equal('query_cancelled');
    // A connection is busy until its query has ended in the database, which may take longer than `maxWaitMs`.
    await eventually(async () => (await ask('SELECT 3 AS n')) === 'no error');
  });

  it('limits the cached prepared statements, and prepares them again when a table changes', async () => {
    const limited = await openOther({ statements: 2 });
    const readLimited = (sql: string) => limited.query({ sql }, [], SOON);
    for (let round = 0; round < 3; round++) {
      for (const n of [1, 2, 3, 4]) {
        const query = limited.prepare(`SELECT ${n} + :p1 AS n`);
        expect((await limited.query(query, [1], SOON)).rows).to.deep.equal([[n + 1]]);
      }
    }
    await driver.run('CREATE TABLE t (a INT)');
    await driver.run('INSERT INTO t VALUES (1)');
    expect((await readLimited('SELECT * FROM t')).rows).to.deep.equal([[1]]);
    await driver.run("ALTER TABLE t ADD COLUMN b VARCHAR(10) DEFAULT 'x'");
    const { columns, rows } = await readLimited('SELECT * FROM t');
    expect([columns.map((column) => column.type), rows]).to.deep.equal([['INT', 'VARCHAR'], [[1, 'x']]]);
    await driver.run('DROP TABLE t');
    expect(await messageOf(readLimited('SELECT * FROM t'))).to.match(/doesn't exist|does not exist/);
  });

  it('rejects a result above the limit of bytes', async () => {
    const limited = await openOther({ maxResultBytes: 1024 * 1024 });
    const sql = `SELECT n, REPEAT('x', 1000) AS text FROM ${driver.numbers(1e5, 'a')}`;
    const limits = { maxRows: 1_000_000, timeoutMs: 600_000 };
    for (const limit of ['', ' LIMIT 2000']) {
      const { message } = await errorOf(limited.query({ sql: sql + limit }, [], limits));
      expect(message).to.equal('The result is larger than the limit of 1 MB. Select fewer rows or columns.');
    }
    const { rows, more } = await limited.query({ sql: `${sql} LIMIT 900` }, [], limits);
    expect([rows.length, more]).to.deep.equal([900, false]);
  });

  it('answers a ping until it closes', async () => {
    const closing = await openOther({});
    await closing.ping(600_000);
    await closing.close();
    expect(await codeOf(closing.ping(600_000))).to.equal('database_unavailable');
    expect(await codeOf(closing.query({ sql: 'SELECT 1 AS n' }, [], SOON))).to.equal('database_unavailable');
  });
});
