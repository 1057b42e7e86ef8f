import { expect } from 'chai';
import { withDeadline } from '../../../engine/databases/interface/deadline.js';
import { cancelledError } from '../../../engine/databases/interface/errors.js';
import { type MysqlDatabase, type MysqlOptions, openMysql } from '../../../engine/databases/mysql/database.js';
import { eventually } from '../../services/eventually.js';
import { execute, needServer, withDatabase } from '../../services/mysql.js';
import { type DatabaseServer, IS_TIDB, startServer } from '../../services/server.js';
import { startTcpProxy, type TcpProxy } from '../../services/tcp-proxy.js';
import { codeOf, loggedOf } from '../failures.js';
import { ENDLESS, FLOOD, HALFWAY, WAITING, type Watch, watch } from './statements.js';

const SOON = { maxRows: 10, timeoutMs: 600_000 };
/** The number of connections that the driver may open in addition to its pool. */
const CONTROL_CONNECTIONS = 4;
const ONE = { sql: 'SELECT 1 AS n' };

describe('a MySQL-protocol database with faults', () => {
  needServer();
  let server: DatabaseServer;
  let proxy: TcpProxy;
  let database: MysqlDatabase;
  let outside: Watch;

  before(async () => {
    server = await startServer();
    await execute(server.url, 'CREATE DATABASE faults');
  });
  after(() => server?.remove());

  const open = async (options: Partial<MysqlOptions> = {}, port = proxy.port) => {
    const url = withDatabase(server.url, 'faults').replace(`:${server.port}/`, `:${port}/`);
    database = await openMysql({ url, allowWritingAccount: true, connections: 3, closeGraceMs: 100, ...options });
  };
  const one = () => database.query(ONE, [], SOON);
  /** Uses each connection of the pool once, so that afterwards all are open and idle. */
  const openAll = (count = 3) =>
    Promise.all(Array.from({ length: count }, () => database.query({ sql: 'SELECT SLEEP(0.05) AS s' }, [], SOON)));

  beforeEach(async () => {
    proxy = await startTcpProxy(server.port);
    outside = await watch(server.url);
    await open();
  });
  afterEach(async () => {
    proxy.resume();
    await database.close();
    await proxy.close();
    if (!server.isRunning) await server.restart();
    await outside.close().catch(() => {});
  });

  it('answers the first request after a restart of the server while it was idle', async () => {
    await openAll();
    await server.kill();
    await server.restart();
    const answers = await Promise.all([one(), one(), one()]);
    expect(answers.map(({ rows }) => rows)).to.deep.equal([[[1]], [[1]], [[1]]]);
  });

  it('answers after an administrator has killed all idle connections', async () => {
    await openAll();
    await outside.killAll();
    const answers = await Promise.all([one(), one(), one()]);
    expect(answers.map(({ rows }) => rows)).to.deep.equal([[[1]], [[1]], [[1]]]);
  });

  it('returns database_unavailable if the server is killed during a query, and answers after its restart', async () => {
    await database.close();
    await open({}, server.port);
    const running = loggedOf(database.query(ENDLESS, [], SOON));
    await outside.until(1);
    await server.kill();
    expect(await running).to.equal(
      `The database at 127.0.0.1:${server.port} cannot be reached: no server listens on this port.`,
    );
    expect(await codeOf(one())).to.equal('database_unavailable');
    expect(await codeOf(database.ping(600_000))).to.equal('database_unavailable');
    await server.restart();
    expect((await one()).rows).to.deep.equal([[1]]);
  });

  it('retries a query on a new connection if the connection is lost', async () => {
    const running = database.query(IS_TIDB ? { sql: 'SELECT SLEEP(20) AS endless' } : WAITING, [], SOON);
    await outside.until(1);
    proxy.cut();
    await outside.release();
    expect((await running).rows).to.deep.equal([[IS_TIDB ? 0 : 1]]);
  });

  it('stops retrying if every connection is lost', async () => {
    const running = codeOf(database.query(WAITING, [], SOON));
    let isOver = false;
    void running.then(() => {
      isOver = true;
    });
    await eventually(async () => {
      if ((await outside.running()) > 0) await outside.killAll();
      return isOver;
    });
    expect(await running).to.equal('database_unavailable');
    await outside.until(0);
  });

  it('keeps its time limits while the network stalls, and answers when it works again', async () => {
    await openAll();
    proxy.stall();
    expect(await loggedOf(database.ping(100))).to.match(/^The database at 127.0.0.1:\d+ does not answer\.$/);
    const codes = await Promise.all(
      [1, 2, 3].map(() => codeOf(database.query(ONE, [], { maxRows: 1, timeoutMs: 200 }))),
    );
    expect(codes).to.deep.equal(['query_timeout', 'query_timeout', 'query_timeout']);
    const briefly = { maxRows: 1, timeoutMs: 200 };
    await eventually(async () => (await codeOf(database.query(ONE, [], briefly))) === 'database_unavailable');
    proxy.resume();
    expect((await one()).rows).to.deep.equal([[1]]);
    await eventually(() => proxy.connections <= 3 + CONTROL_CONNECTIONS);
  });

  it('has at most the configured connections, and none after it is closed', async () => {
    await openAll(20);
    await Promise.all(
      Array.from({ length: 20 }, () => codeOf(database.query(WAITING, [], { maxRows: 1, timeoutMs: 50 }))),
    );
    await eventually(async () => (await outside.connections()) <= 3 + CONTROL_CONNECTIONS);
    await database.close();
    await eventually(async () => (await outside.connections()) === 0);
  });

  it('returns overloaded when all connections are in use', async () => {
    await database.close();
    await open({ maxWaiting: 2, maxWaitMs: 100 });
    const caller = new AbortController();
    const running = Array.from({ length: 3 }, () =>
      codeOf(database.query(WAITING, [], { maxRows: 1, timeoutMs: 600_000, signal: caller.signal })),
    );
    await outside.until(3);
    await database.ping(600_000);
    expect(await Promise.all([1, 2, 3].map(() => codeOf(one())))).to.deep.equal([
      'overloaded',
      'overloaded',
      'overloaded',
    ]);
    caller.abort();
    expect(await Promise.all(running)).to.deep.equal(['query_cancelled', 'query_cancelled', 'query_cancelled']);
    // A connection is busy until its statement has ended on the server, which may take longer than `maxWaitMs`.
    expect(database.pool?.busy).to.equal(3);
    await eventually(async () => (await codeOf(one())) !== 'overloaded');
    expect((await one()).rows).to.deep.equal([[1]]);
  });

  it('ends the statements of 50 clients that disconnect at once', async () => {
    await database.close();
    await open({ connections: 50 });
    // Without a table: TiDB does not interrupt a SLEEP in a SELECT from a table.
    for (const query of IS_TIDB ? [WAITING] : [WAITING, HALFWAY]) {
      const clients = Array.from({ length: 50 }, () => new AbortController());
      const limits = { maxRows: 100_000_000, timeoutMs: 600_000 };
      const codes = clients.map(({ signal }) => codeOf(database.query(query, [], { ...limits, signal })));
      await outside.until(50);
      for (const client of clients) client.abort();
      expect(new Set(await Promise.all(codes))).to.deep.equal(new Set(['query_cancelled']));
      await outside.until(0);
    }
    expect((await one()).rows).to.deep.equal([[1]]);
  });

  it('stops a query with many rows when its caller disconnects', async () => {
    const caller = new AbortController();
    const limits = { maxRows: 100_000_000, timeoutMs: 600_000, signal: caller.signal };
    const running = codeOf(database.query(FLOOD, [], limits));
    await outside.until(1);
    caller.abort();
    expect(await running).to.equal('query_cancelled');
    await outside.until(0);
    const truncated = await database.query(FLOOD, [], SOON);
    expect([truncated.rows.length, truncated.more]).to.deep.equal([10, true]);
    await outside.until(0);
    expect((await one()).rows).to.deep.equal([[1]]);
  });

  it('sends no KILL when a receiver rejects the last rows, because the connection may already run another query', async () => {
    const kills = () => execute(server.url, "SHOW GLOBAL STATUS LIKE 'Com_kill'");
    const before = await kills();
    const rows = async () => Promise.reject(cancelledError());
    const receive = { columns: () => undefined, rows };
    const stream = withDeadline({ timeoutMs: 600_000 }, async (deadline) =>
      database.stream?.(ONE, [], { maxRows: 10, deadline, receive }),
    );
    expect(await codeOf(stream)).to.equal('query_cancelled');
    await database.close();
    await eventually(async () => (await outside.connections()) === 0);
    expect(await kills()).to.deep.equal(before);
  });

  it('sets a time limit of the server, for the case that a KILL cannot reach it', async () => {
    const variable = IS_TIDB ? 'max_execution_time' : 'max_statement_time';
    const { rows } = await database.query({ sql: `SELECT @@SESSION.${variable} AS most` }, [], SOON);
    const seconds = Number(rows[0]?.[0]) / (IS_TIDB ? 1000 : 1);
    expect(seconds).to.be.within(SOON.timeoutMs / 1000, (2 * SOON.timeoutMs) / 1000);
  });

  it('stops running queries when it closes', async () => {
    const running = codeOf(database.query(WAITING, [], SOON));
    await outside.until(1);
    await database.close();
    expect(await running).to.equal('database_unavailable');
    await outside.until(0);
  });
});
