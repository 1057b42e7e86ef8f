import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2';
import { type MysqlDatabase, type MysqlOptions, openMysql } from '../../../engine/databases/mysql/database.js';
import { execute, useMysql } from '../../services/mysql.js';
import { IS_TIDB, itExceptOnTidb } from '../../services/server.js';
import { codeOf, errorOf, messageOf } from '../failures.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };

describe('reading from a MySQL-protocol server', () => {
  const server = useMysql({ own: true });
  let database: MysqlDatabase;
  const open = (options: Partial<MysqlOptions> = {}) =>
    openMysql({ url: server.url, allowWritingAccount: true, connections: 1, ...options });
  const read = (sql: string, values: Parameters<MysqlDatabase['query']>[1] = []) =>
    database.query({ sql }, values, SOON);

  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database?.close());

  it('binds values with their types', async () => {
    const query = database.prepare('SELECT :p1 AS a, :p2 AS b, :p3 + 1 AS c, :p4 AS d, :p5 AS e, :p6 + 1 AS f');
    const { columns } = await database.query(query, ['x', 2.5, true, null, 18446744073709551615n, 41], SOON);
    const types = ['VARCHAR', 'DOUBLE', 'BIGINT', 'INT', 'UNSIGNED BIGINT', 'BIGINT'];
    expect(columns.map(({ type }) => type)).to.deep.equal(types);
  });

  it('checks the names in a query without running it', async () => {
    const integer = IS_TIDB ? 'BIGINT' : 'INT';
    const nullable = (value: boolean) => (IS_TIDB ? {} : { nullable: value });
    const describe = (sql: string) => database.describe?.(database.prepare(sql), { timeoutMs: 600_000 });
    expect(
      await describe("SELECT 1 AS a, t.* FROM (SELECT 2.50 AS b, NULLIF('y', 'x') AS c, SLEEP(:p1) AS d) t"),
    ).to.deep.equal([
      { name: 'a', type: integer, ...nullable(false) },
      { name: 'b', type: 'DECIMAL', scale: 2, ...nullable(false) },
      { name: 'c', type: 'VARCHAR', ...nullable(true) },
      { name: 'd', type: integer, ...nullable(true) },
    ]);
    for (const sql of ['SELECT x FROM no_such_table', 'SELECT t.x FROM (SELECT 1 AS a) t', 'SELECT NO_SUCH(1) AS a']) {
      const error = await errorOf(describe(sql) as Promise<unknown>);
      expect(error.message).to.match(/no_such|"t\.x"/i);
    }
    expect((await read('SELECT 7 AS n')).rows).to.deep.equal([[7]]);
  });

  it('returns all rows of a window function over derived tables with EXISTS, which MariaDB loses', async () => {
    const values = (column: string, numbers: readonly number[]) =>
      numbers.map((number) => `SELECT ${number} AS ${column}`).join(' UNION ALL ');
    await execute(
      server.url,
      `CREATE TABLE window_rows AS SELECT * FROM (${values('v', [1, 2, 3])}) t`,
      `CREATE TABLE window_keys AS SELECT * FROM (${values('k', [1, 2, 3])}) t`,
    );
    const sql =
      'SELECT o.v, SUM(o.v) OVER (ORDER BY o.v) AS n FROM (SELECT * FROM window_rows) o ' +
      'WHERE EXISTS (SELECT 1 FROM (SELECT * FROM window_keys) x WHERE x.k = o.v) AND o.v > :p1 ORDER BY o.v';
    const query = database.prepare(sql);
    const { rows } = await database.query(query, [0], SOON);
    expect(rows.map((row) => row.map(Number))).to.deep.equal([
      [1, 1],
      [2, 3],
      [3, 6],
    ]);
    const columns = await database.describe?.(query, { timeoutMs: 600_000 });
    expect(columns?.map(({ name }) => name)).to.deep.equal(['v', 'n']);
    expect((await database.explain(query, [0], SOON)).rows).not.to.deep.equal([]);
  });

  itExceptOnTidb('it reuses no prepared statements', 'closes prepared statements above the limit', async () => {
    await database.close();
    database = await open({ statements: 2 });
    for (let round = 0; round < 3; round++) for (const n of [1, 2, 3, 4]) await read(`SELECT ${n} AS n`);
    const sql =
      "SELECT VARIABLE_VALUE AS n FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Com_stmt_close'";
    expect(Number((await read(sql)).rows[0]?.[0])).to.be.greaterThan(8);
  });

  it('closes prepared statements if the server has no space for more, and returns overloaded if it has none at all', async () => {
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

  describe('on a server with small packets', () => {
    let packet: unknown;
    before(async () => {
      const [row] = await execute(server.url, 'SELECT @@GLOBAL.max_allowed_packet AS packet');
      packet = row?.packet;
      await execute(server.url, `SET GLOBAL max_allowed_packet = ${1024 * 1024}`, 'SET GLOBAL max_error_count = 0');
    });
    after(() => execute(server.url, `SET GLOBAL max_allowed_packet = ${packet}`, 'SET GLOBAL max_error_count = 64'));

    const three = '(SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3) t';

    it('returns no result that the server has truncated', async () => {
      const truncations: Record<string, RegExp> = {
        [`SELECT n, REPEAT('x', 400000 * n) AS text FROM ${three}`]: /Result of repeat\(\) was larger than max_allowed/,
        "SELECT CONCAT(REPEAT('x', 800000), REPEAT('x', 800000)) AS text":
          /Result of concat\(\) was larger than max_allowed/,
        "SELECT LENGTH(LPAD('x', 2000000, 'y')) AS bytes": /Result of lpad\(\) was larger than max_allowed/,
      };
      for (const [sql, message] of Object.entries(truncations))
        expect(await messageOf(read(sql)), sql).to.match(message);
      const sql = `SELECT IF(n = 1, REPEAT('x', 2000000), 'y') AS text FROM ${three}`;
      const more = database.query({ sql }, [], { ...SOON, maxRows: 1 });
      expect(await messageOf(more)).to.match(/^The server did not return the complete result: Result of repeat/);
      expect((await read("SELECT REPEAT('x', 3) AS text")).rows).to.deep.equal([['xxx']]);
    });

    itExceptOnTidb(
      'it truncates none of these',
      'returns no aggregate, recursion or conversion that the server has truncated',
      async () => {
        const truncations: Record<string, RegExp> = {
          "SELECT LENGTH(GROUP_CONCAT(REPEAT('x', 1000))) AS bytes FROM seq_1_to_2000":
            /Row \d+ was cut by GROUP_CONCAT\(\)/i,
          'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) AS most FROM n':
            /may be incomplete/,
          "SELECT CONVERT('\u{1f600}' USING latin1) AS text": /Cannot convert 'utf8mb4' character/,
        };
        for (const [sql, message] of Object.entries(truncations))
          expect(await messageOf(read(sql)), sql).to.match(message);
      },
    );

    it('ignores warnings about values that the dialect defines', async () => {
      const sql = "SELECT 1 / 0 AS a, '12abc' + 0 AS b, CAST(1.256 AS DECIMAL(5, 2)) AS c, LAST_DAY('2019-02-30') AS d";
      expect((await read(sql)).rows).to.deep.equal([[null, 12, '1.26', null]]);
    });

    it('fails if a number does not fit the type of its CAST', async () => {
      for (const cast of ['CAST(123456 AS DECIMAL(5, 2))', 'CAST(1e30 AS SIGNED)', 'CAST(1e30 AS UNSIGNED)']) {
        const { message } = await errorOf(read(`SELECT ${cast} AS a`));
        expect(message, cast).to.equal('A number is out of range: it does not fit the type of its CAST.');
      }
      expect((await read('SELECT 1 AS a')).rows).to.deep.equal([[1]]);
    });

    it('finds them also with a driver that has other private functions', async () => {
      const packet = await readPacket(server.url);
      const { eofWarningCount } = packet;
      Reflect.deleteProperty(packet, 'eofWarningCount');
      try {
        await database.close();
        database = await open();
        const { message } = await errorOf(read('SELECT CAST(1e30 AS SIGNED) AS a'));
        expect(message).to.equal('A number is out of range: it does not fit the type of its CAST.');
        const { rows } = await read("SELECT 1 / 0 AS a, TIMESTAMP '2024-02-09 03:05:07' AS b");
        expect(rows).to.deep.equal([[null, '2024-02-09 03:05:07']]);
      } finally {
        packet.eofWarningCount = eofWarningCount;
      }
    });
  });

  it('explains a query without running it', async () => {
    const plan = await database.explain(
      database.prepare('SELECT :p1 AS a FROM (SELECT 1 AS n UNION SELECT 2) t'),
      [1],
      SOON,
    );
    const names = IS_TIDB ? ['id', 'estRows', 'task', 'operator info'] : ['id', 'select_type', 'table', 'Extra'];
    expect(plan.columns.map(({ name }) => name)).to.include.members(names);
    expect(plan.rows).to.have.length.greaterThan(1);
  });
});

/** Returns the prototype of the driver's packets, which the driver does not export. */
async function readPacket(url: string): Promise<{ eofWarningCount?: unknown }> {
  const connection = createConnection(url) as Connection & { handlePacket(packet?: object): void };
  const { handlePacket } = connection;
  const first = new Promise<object>((resolve) => {
    connection.handlePacket = (packet) => {
      if (packet !== undefined) resolve(packet);
      handlePacket.call(connection, packet);
    };
  });
  const prototype = Object.getPrototypeOf(await first);
  connection.destroy();
  return prototype;
}
