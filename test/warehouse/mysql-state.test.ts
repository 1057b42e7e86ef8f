import { expect } from 'chai';
import { TimeoutStrategy, timeout } from 'cockatiel';
import { createConnection } from 'mysql2/promise';
import { MysqlState, type MysqlStateOptions } from '../../accounts/mysql-state.js';
import type { StateTables } from '../../accounts/state-store.js';
import { codeOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';
import { execute, useMysql } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';

describe('the service state on a server', () => {
  const server = useMysql();
  let proxy: TcpProxy;
  let states: MysqlState[];

  before(() => execute(server.url, 'CREATE TABLE numbers (id INT PRIMARY KEY, n INT)'));
  beforeEach(async () => {
    states = [];
    proxy = await startTcpProxy(Number(new URL(server.url).port));
    await execute(server.url, 'REPLACE INTO numbers VALUES (1, 0)');
  });
  afterEach(async () => {
    await Promise.all(states.map((state) => state.close()));
    await proxy.close();
  });

  const opened = (options: Omit<MysqlStateOptions, 'url'>): MysqlState => {
    const url = new URL(server.url);
    url.port = String(proxy.port);
    const state = new MysqlState({ url: url.href, connections: 1, ...options });
    states.push(state);
    return state;
  };
  const increment = (tables: StateTables) => tables.run('UPDATE numbers SET n = n + 1 WHERE id = :p1', [1]);
  /** Retries, because on a busy machine, the short time limit of these tests can also end a transaction. */
  const incrementAgain = async (state: MysqlState) => {
    await eventually(async () => (await codeOf(state.transaction(increment))) === 'no error');
    expect(await n()).to.be.at.least(1);
  };
  const n = async () => (await execute(server.url, 'SELECT n FROM numbers'))[0]?.n;

  it('ends a transaction in which the server stalls, rolls it back, and works again after the stall', async () => {
    const state = opened({ timeoutMs: 2_000 });
    const stalled = state.transaction(async (tables) => {
      await increment(tables);
      proxy.stall();
      await increment(tables);
    });
    expect(await codeOf(stalled)).to.equal('database_unavailable');
    proxy.resume();
    await eventually(() => proxy.connections === 0);
    expect(await n()).to.equal(0);
    await incrementAgain(state);
  });

  it('stops connecting after its time limit, and leaves no unused connection open', async () => {
    const state = opened({ timeoutMs: 2_000 });
    proxy.stall();
    expect(await codeOf(state.transaction(increment))).to.equal('database_unavailable');
    proxy.resume();
    await eventually(() => proxy.connections === 0);
    await incrementAgain(state);
    expect(proxy.connections).to.equal(1);
  });

  it('waits for a lock of another connection up to its time limit, including all retries', async () => {
    const holder = await createConnection({ uri: server.url });
    const limits: number[] = [];
    // The server ends the first attempt. The second attempt ends at the time limit.
    const state = opened({
      timeoutMs: 600_000,
      stopwatch: () => limits.length * 200_000,
      createLimit: (ms) => timeout(limits.push(ms) === 1 ? ms : 1, TimeoutStrategy.Aggressive),
    });
    try {
      await holder.query('START TRANSACTION');
      await holder.query('SELECT n FROM numbers WHERE id = 1 FOR UPDATE');
      expect(await codeOf(state.transaction(increment))).to.equal('database_unavailable');
      expect(limits).to.deep.equal([600_000, 400_000]);
    } finally {
      await holder.end();
    }
  });
});
