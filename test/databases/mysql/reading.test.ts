import { expect } from 'chai';
import { type MysqlDatabase, openMysql } from '../../../databases/mysql/database.js';
import type { MysqlOptions } from '../../../databases/mysql/options.js';
import { execute, useMysql } from '../../services/mysql.js';
import { codeOf, errorOf, messageOf } from '../failures.js';

const SOON = { maxRows: 10, timeoutMs: 10_000 };
/** Runs for minutes unless it is stopped. */
const ENDLESS = { sql: 'SELECT SUM(a.seq * b.seq % 7) AS s FROM seq_1_to_1000000 a, seq_1_to_1000000 b' };

describe('reading from a MySQL-protocol database', () => {
  const server = useMysql();
  let database: MysqlDatabase;
  const open = (options: Partial<MysqlOptions> = {}) =>
    openMysql({ url: server.url, allowWritingAccount: true, ...options });
  const read = (sql: string, values: Parameters<MysqlDatabase['query']>[1] = []) =>
    database.query({ sql }, values, SOON);

  beforeEach(async () => {
    database = await open({ connections: 1, maxWaiting: 1, maxWaitMs: 300 });
  });
  afterEach(() => database?.close());

  it('binds text, numbers, booleans and NULL as the types that they are', async () => {
    const query = database.prepare(
      "SELECT :p2 AS b, :p1 AS a, :p3 + 1 AS c, :p4 AS d, :p1 AS again, :p5 AS e, :p6 + 1 AS f, ':p1' AS text -- :p9",
    );
    const values = [2.5, "it's \u{1f600}", true, null, 18446744073709551615n, 41];
    const { columns, rows } = await database.query(query, values, SOON);
    expect(rows).to.deep.equal([["it's \u{1f600}", 2.5, 2, null, 2.5, 18446744073709551615n, 42, ':p1']]);
    expect(columns.map(({ type }) => type)).to.deep.equal([
      'VARCHAR',
      'DOUBLE',
      'BIGINT',
      'INT',
      'DOUBLE',
      'UNSIGNED BIGINT',
      'BIGINT',
      'VARCHAR',
    ]);
  });

  it('stops reading after the rows that were asked for and says that there are more', async () => {
    const all = await database.query({ sql: 'SELECT seq FROM seq_1_to_10' }, [], SOON);
    expect([all.rows.length, all.more]).to.deep.equal([10, false]);
    const some = await database.query({ sql: 'SELECT seq FROM seq_1_to_1000000000' }, [], SOON);
    expect([some.rows.length, some.more]).to.deep.equal([10, true]);
    expect((await read('SELECT 42 AS n')).rows).to.deep.equal([[42]]);
  });

  it('stops a query in the database when its time is over, and the next one is not hit', async () => {
    await read('SELECT 1 AS n');
    for (let round = 0; round < 20; round++) {
      expect(await codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 5 }))).to.equal('query_timeout');
      expect((await read('SELECT 42 AS n')).rows).to.deep.equal([[42]]);
    }
  });

  it('never hits a later query with the kill of one that ended at the same moment', async () => {
    for (let round = 0; round < 200; round++) {
      const short = { sql: `SELECT SUM(seq) AS s FROM seq_1_to_${1 + 1000 * (round % 50)}` };
      await codeOf(database.query(short, [], { maxRows: 1, timeoutMs: 1 + (round % 3) }));
      expect((await read('SELECT COUNT(*) AS n FROM seq_1_to_1000')).rows).to.deep.equal([[1000]]);
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
    expect((await read('SELECT 1 AS n')).rows).to.deep.equal([[1]]);
  });

  it('lets few queries wait for a connection, for a limited time', async () => {
    const running = codeOf(database.query(ENDLESS, [], { maxRows: 1, timeoutMs: 1_000 }));
    const waiting = codeOf(read('SELECT 1 AS n'));
    const refused = codeOf(read('SELECT 2 AS n'));
    expect(await refused).to.equal('overloaded');
    expect(await waiting).to.equal('overloaded');
    expect(await running).to.equal('query_timeout');
    expect((await read('SELECT 3 AS n')).rows).to.deep.equal([[3]]);
  });

  it('keeps prepared statements within a limit, and makes them anew when a table changes', async () => {
    await database.close();
    database = await open({ connections: 1, statements: 2 });
    for (let round = 0; round < 3; round++) {
      for (const n of [1, 2, 3, 4]) expect((await read(`SELECT ${n} + :p1 AS n`, [1])).rows).to.deep.equal([[n + 1]]);
    }
    const sql =
      "SELECT VARIABLE_VALUE AS n FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Com_stmt_close'";
    expect(Number((await read(sql)).rows[0]?.[0])).to.be.greaterThan(8);
    await execute(server.url, 'CREATE TABLE t AS SELECT 1 AS a');
    expect((await read('SELECT * FROM t')).rows).to.deep.equal([[1]]);
    await execute(server.url, "ALTER TABLE t ADD COLUMN b VARCHAR(10) DEFAULT 'x'");
    const { columns, rows } = await read('SELECT * FROM t');
    expect([columns.map((column) => column.type), rows]).to.deep.equal([['INT', 'VARCHAR'], [[1, 'x']]]);
    await execute(server.url, 'DROP TABLE t');
    expect((await errorOf(read('SELECT * FROM t'))).message).to.contain("doesn't exist");
  });

  it('gives prepared statements back where the server has no room for more, and says that it is busy where none is left', async () => {
    const room = (statements: number) => execute(server.url, `SET GLOBAL max_prepared_stmt_count = ${statements}`);
    try {
      await room(3);
      for (const n of [1, 2, 3, 4, 5, 6, 7]) expect((await read(`SELECT ${n} AS n`)).rows).to.deep.equal([[n]]);
      await room(0);
      expect(await codeOf(read('SELECT 8 AS n'))).to.equal('overloaded');
    } finally {
      await room(16382);
    }
    expect((await read('SELECT 8 AS n')).rows).to.deep.equal([[8]]);
  });

  it('reads no more bytes than it may', async () => {
    await database.close();
    database = await open({ connections: 1, maxResultBytes: 1024 * 1024 });
    const sql = "SELECT seq, REPEAT('x', 1000) AS text FROM seq_1_to_100000";
    const limits = { maxRows: 1_000_000, timeoutMs: 10_000 };
    const error = await errorOf(database.query({ sql }, [], limits));
    expect(error.message).to.equal('The result is larger than 1 MB, the most that is read: ask for less.');
    const { rows, more } = await database.query({ sql: `${sql} LIMIT 900` }, [], limits);
    expect([rows.length, more]).to.deep.equal([900, false]);
  });

  describe('on a server with small packets', () => {
    let packet: unknown;
    before(async () => {
      const [row] = await execute(server.url, 'SELECT @@GLOBAL.max_allowed_packet AS packet');
      packet = row?.packet;
      await execute(server.url, `SET GLOBAL max_allowed_packet = ${1024 * 1024}`, 'SET GLOBAL max_error_count = 0');
    });
    after(() => execute(server.url, `SET GLOBAL max_allowed_packet = ${packet}`, 'SET GLOBAL max_error_count = 64'));

    it('gives no result that the server has cut', async () => {
      const cuts: Record<string, RegExp> = {
        "SELECT seq, REPEAT('x', 400000 * seq) AS text FROM seq_1_to_3":
          /Result of repeat\(\) was larger than max_allowed/,
        "SELECT CONCAT(REPEAT('x', 800000), REPEAT('x', 800000)) AS text":
          /Result of concat\(\) was larger than max_allowed/,
        "SELECT LENGTH(LPAD('x', 2000000, 'y')) AS bytes": /Result of lpad\(\) was larger than max_allowed/,
        "SELECT LENGTH(GROUP_CONCAT(REPEAT('x', 1000))) AS bytes FROM seq_1_to_2000":
          /Row \d+ was cut by GROUP_CONCAT\(\)/i,
        'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) AS most FROM n':
          /may be incomplete/,
        "SELECT CONVERT('\u{1f600}' USING latin1) AS text": /Cannot convert 'utf8mb4' character/,
      };
      for (const [sql, message] of Object.entries(cuts)) expect(await messageOf(read(sql)), sql).to.match(message);
      const more = database.query(
        { sql: "SELECT IF(seq = 1, REPEAT('x', 2000000), 'y') AS text FROM seq_1_to_3" },
        [],
        {
          ...SOON,
          maxRows: 1,
        },
      );
      expect(await messageOf(more)).to.match(/^The server did not give the whole result: Result of repeat/);
      expect((await read("SELECT REPEAT('x', 3) AS text")).rows).to.deep.equal([['xxx']]);
    });

    it('takes no offence at what the dialect makes of values', async () => {
      const sql =
        "SELECT 1 / 0 AS a, '12abc' + 0 AS b, CAST(123456 AS DECIMAL(5, 2)) AS c, LAST_DAY('2019-02-30') AS d";
      expect((await read(sql)).rows).to.deep.equal([[null, 12, '999.99', null]]);
    });
  });

  it('explains a query without running it', async () => {
    const plan = await database.explain(database.prepare('SELECT :p1 AS a FROM seq_1_to_10'), [1], SOON);
    expect(plan.columns.map(({ name }) => name)).to.include.members(['id', 'select_type', 'table', 'Extra']);
    expect(plan.rows).to.have.length(1);
  });

  it('answers a ping until it is closed', async () => {
    await database.ping(1_000);
    await database.close();
    expect(await codeOf(database.ping(1_000))).to.equal('database_unavailable');
    expect(await codeOf(read('SELECT 1 AS n'))).to.equal('database_unavailable');
  });
});
