import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2/promise';
import { MysqlState } from '../../warehouse/state/mysql-state.js';
import { execute, useMysql } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';

/** Long enough for a wait for a lock, which the database itself ends after 3 s, and another one. */
const TIMEOUT_MS = 3_600;

describe('the state in a database behind the MySQL protocol', function () {
  this.timeout(30_000);
  const database = useMysql();
  let proxy: TcpProxy;
  let other: Connection;
  let state: MysqlState;

  before(() =>
    execute(database.url, 'CREATE TABLE things (id INT PRIMARY KEY, n INT)', 'INSERT INTO things VALUES (1, 0)'),
  );
  beforeEach(async () => {
    const url = new URL(database.url);
    proxy = await startTcpProxy(Number(url.port || 3306));
    url.port = String(proxy.port);
    url.hostname = '127.0.0.1';
    state = new MysqlState({ url: url.href, timeoutMs: TIMEOUT_MS });
    other = await createConnection(database.url);
  });
  afterEach(async () => {
    await other.end();
    await state.close();
    await proxy.close();
  });

  const increase = () =>
    state.transaction(async (tables) => {
      await tables.rows('SELECT n FROM things WHERE id = 1');
      return tables.run('UPDATE things SET n = n + 1 WHERE id = 1');
    });
  const failuresOf = async (calls: number) => {
    const began = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: calls }, increase));
    expect(performance.now() - began, 'all of them were told in time').to.be.below(TIMEOUT_MS + 1_500);
    return outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'));
  };
  const stored = async () => (await execute(database.url, 'SELECT n FROM things WHERE id = 1'))[0]?.n;

  it('tells in time that another keeps a row locked, and changes nothing afterwards', async () => {
    const before = await stored();
    await other.query('START TRANSACTION');
    await other.query('SELECT n FROM things WHERE id = 1 FOR UPDATE');
    const codes = await failuresOf(8);
    expect([...new Set(codes)].sort()).to.deep.equal(['database_unavailable', 'overloaded']);
    await other.query('ROLLBACK');
    expect(await increase()).to.equal(1);
    expect(await stored()).to.equal(Number(before) + 1);
  });

  it('tells in time that another keeps the table locked', async () => {
    await other.query('LOCK TABLES things WRITE');
    const codes = await failuresOf(2);
    expect(codes).to.deep.equal(['database_unavailable', 'database_unavailable']);
    await other.query('UNLOCK TABLES');
    expect(await increase()).to.equal(1);
  });

  it('tells in time that the server has gone silent', async () => {
    expect(await increase()).to.equal(1);
    proxy.stall();
    const codes = await failuresOf(2);
    expect(codes).to.deep.equal(['database_unavailable', 'database_unavailable']);
    proxy.resume();
    expect(await increase()).to.equal(1);
  });
});
