import { expect } from 'chai';
import type { Request } from 'express';
import { createRateLimits } from '../../engine/http/limits/request-limits.js';
import type { Database, ResultSet } from '../../engine/index.js';
import { Playground } from '../../explorer/playground/playground.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { errorOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';

const NO_ROWS: ResultSet = { columns: [], rows: [], more: false };
/** A time that is longer than any test. */
const NEVER_MS = 1e9;

describe('the queue of the playground', () => {
  /** Opens a database whose queries only end when the test ends them. */
  function open(maxWaiting = 16, maxWaitMs = NEVER_MS) {
    const running: { readonly sql: string; readonly end: () => void }[] = [];
    const query: Database['query'] = ({ sql }) =>
      new Promise((resolve) => running.push({ sql, end: () => resolve(NO_ROWS) }));
    const database: Database = {
      name: 'duckdb',
      concurrency: 2,
      prepare: (sql) => ({ sql }),
      query,
      explain: query,
      ping: async () => {},
      close: async () => {},
    };
    const times: [string, number][] = [];
    const onEnd = (caller: string, ms: number) => times.push([caller, ms]);
    const playground = new Playground(database, TABLE_REFERENCE, NEVER_MS, { maxWaiting, maxWaitMs, onEnd });
    const run = (caller: string, value: number) => playground.run(`SELECT ${value}`, { caller });
    const started = () => running.map(({ sql }) => Number(/\d+/.exec(sql)?.[0]));
    return { playground, running, run, started, times };
  }

  it('leaves a connection to other callers, who alternate', async () => {
    const { playground, running, run, started, times } = open();
    const greedy = [1, 2, 3].map((value) => run('greedy', value));
    await eventually(() => running.length === 1);
    expect(playground.waiting).to.equal(2);
    const modest = [run('a', 11), run('b', 12)];
    await eventually(() => running.length === 2);
    expect(started()).to.deep.equal([1, 11]);
    running[0]?.end();
    await eventually(() => running.length === 3);
    expect(started(), 'b came later than the queries of greedy').to.deep.equal([1, 11, 2]);
    running[1]?.end();
    await eventually(() => running.length === 4);
    expect(started()).to.deep.equal([1, 11, 2, 12]);
    running[2]?.end();
    await eventually(() => running.length === 5);
    for (const { end } of running) end();
    await Promise.all([...greedy, ...modest]);
    expect(times.map(([caller]) => caller)).to.have.members(['greedy', 'greedy', 'greedy', 'a', 'b']);
    expect(playground.waiting).to.equal(0);
  });

  it('has no limit per caller for queries without a caller, such as those of the explorer', async () => {
    const { running, run } = open();
    const both = [run('', 1), run('', 2)];
    await eventually(() => running.length === 2);
    for (const { end } of running) end();
    await Promise.all(both);
  });

  it('has place for another caller when one caller has filled it', async () => {
    const { running, run, started } = open(2);
    const [first, second, third] = [1, 2, 3].map((value) => run('greedy', value));
    expect(await errorOf(run('greedy', 4))).to.include({
      code: 'overloaded',
      message: 'The database is busy: 2 queries are already waiting. Try again later.',
    });
    const modest = [run('a', 11), run('b', 12)];
    expect(await errorOf(third as Promise<ResultSet>)).to.include({ code: 'overloaded' });
    for (const count of [2, 3]) {
      await eventually(() => running.length === count);
      running[count - 1]?.end();
    }
    await Promise.all(modest);
    running[0]?.end();
    await eventually(() => running.length === 4);
    running[3]?.end();
    await Promise.all([first, second]);
    expect(started()).to.deep.equal([1, 11, 12, 2]);
  });

  it('rejects a query that found no connection in time, and forgets a caller who left', async () => {
    const { playground, running, run } = open(16, 1);
    const first = run('greedy', 1);
    expect(await errorOf(run('greedy', 2))).to.include({
      code: 'overloaded',
      message: 'The database is busy: no connection was free for 1 ms. Try again later.',
    });
    const leaving = AbortSignal.abort();
    const left = playground.run('SELECT 3', { caller: 'greedy', signal: leaving });
    expect(await errorOf(left)).to.include({ code: 'query_cancelled' });
    expect(playground.waiting).to.equal(0);
    running[0]?.end();
    await first;
  });
});

describe('the time of the playground', () => {
  const request = (ip: string) => ({ ip, socket: {} }) as Request;
  const limitsOf = (playgroundPerMinute: number) =>
    createRateLimits({ rateLimitPerHour: 0, rateLimitPerMinute: 0, callerLimitPerMinute: 0, playgroundPerMinute });

  for (const [allowed, seconds] of [
    [2, 30],
    [20, 30],
    [100, 150],
  ] as const) {
    it(`is ${seconds} seconds per minute and address if ${allowed} queries are allowed`, async () => {
      const { playground, countPlaygroundTime } = limitsOf(allowed);
      await playground(request('192.0.2.1'));
      countPlaygroundTime('192.0.2.1', seconds * 1_000 - 1.5);
      const error = await errorOf(playground(request('192.0.2.1')));
      expect(error).to.include({ code: 'rate_limited' });
      expect((error as Error).message.replace(/\d+ s\.$/, '')).to.equal(
        `The request exceeds the limit of ${seconds} seconds of playground queries per minute from one address; retry in `,
      );
      await playground(request('192.0.2.2'));
    });
  }

  it('has no limit if the number of queries has none', async () => {
    const { playground, countPlaygroundTime } = limitsOf(0);
    countPlaygroundTime('192.0.2.1', 1e9);
    await playground(request('192.0.2.1'));
  });
});
