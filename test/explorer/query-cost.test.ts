import { expect } from 'chai';
import { type Database, withDeadline } from '../../engine/index.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { Playground } from '../../explorer/playground/playground.js';
import {
  MAX_CHEAP_ROWS,
  MAX_ESTIMATED_ROWS,
  type QueryPlan,
  readQueryPlan,
} from '../../explorer/playground/query-cost.js';
import { SqlFailedError } from '../../explorer/playground/query-failure.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import { errorOf } from '../databases/failures.js';
import { onBothDatabases } from '../services/mysql.js';
import { type ExplorerWarehouse, openExplorerWarehouse } from './explorer-warehouse.js';
import { expectKnownCosts, QUERIES } from './known-costs.js';
import { RECORDED_PLANS } from './recorded-plans.js';

const PAIRS = 'github_events a, github_events b';

const CHEAP = [
  'SELECT 1',
  'SELECT id FROM github_events WHERE 1 = 0',
  'SELECT COUNT(*) FROM github_events',
  'SELECT id FROM github_events ORDER BY id LIMIT 5',
  'SELECT r.repo_name, COUNT(*) AS c FROM github_events e JOIN github_repos r ON r.repo_id = e.repo_id GROUP BY r.repo_name ORDER BY c DESC',
  'SELECT (SELECT COUNT(*) FROM github_events b WHERE b.repo_id = a.repo_id) AS n FROM github_repos a',
  'WITH x AS (SELECT repo_id, COUNT(*) AS c FROM github_events GROUP BY repo_id) SELECT a.c FROM x a JOIN x b ON a.c = b.c',
  'SELECT login FROM github_users WHERE id = 1 UNION ALL SELECT repo_name FROM github_repos',
  'SELECT SUM(newcomers) OVER (ORDER BY day) AS total FROM mv_repo_daily_newcomers',
  "SELECT MIN(day), MAX(day) FROM calendar_days WHERE day BETWEEN '2024-01-01' AND '2024-12-31'",
];
const EXPENSIVE = [
  `SELECT COUNT(*) FROM ${PAIRS}`,
  'SELECT COUNT(*) FROM calendar_days a, calendar_days b WHERE a.month < b.day',
  'SELECT COUNT(*) FROM github_events a WHERE EXISTS (SELECT 1 FROM github_events b WHERE b.id <> a.id AND b.repo_name LIKE a.actor_login)',
  'SELECT COUNT(*) FROM github_events a LEFT JOIN github_events b ON a.repo_name LIKE b.actor_login',
];
const TOO_EXPENSIVE = [
  `SELECT COUNT(*) FROM ${PAIRS}, github_events c`,
  `SELECT COUNT(*) FROM ${PAIRS}, github_events c WHERE a.id + b.id + c.id = 1`,
  `SELECT COUNT(*) FROM ${PAIRS}, github_events c, github_events d, github_events e, github_events f`,
  'SELECT COUNT(*) FROM (SELECT a.id FROM calendar_days c, github_events a) x, (SELECT b.id FROM github_events b ORDER BY b.id LIMIT 1000) y',
  `SELECT 1 AS a UNION ALL SELECT COUNT(*) FROM ${PAIRS}, github_events c`,
];

onBothDatabases('the cost of a query', (settings) => {
  let warehouse: ExplorerWarehouse;
  let database: Database;
  let playground: Playground;

  before(async () => {
    warehouse = await openExplorerWarehouse(settings());
    database = await warehouse.openPlayground();
    playground = new Playground(database, TABLE_REFERENCE, 10_000);
  });
  after(async () => {
    await database?.close();
    await warehouse?.close();
  });

  for (const [lane, queries] of [
    ['cheap', CHEAP],
    ['expensive', EXPENSIVE],
  ] as const) {
    for (const sql of queries) {
      it(`is ${lane}: ${sql}`, async () => {
        const plan = await playground.plan(sql);
        expect(plan.lane, JSON.stringify(plan, undefined, 1)).to.equal(lane);
        expect(plan.estimatedRows > MAX_CHEAP_ROWS).to.equal(lane === 'expensive');
        expect(plan.rows).to.have.length.at.least(1);
        expect(JSON.stringify(plan.rows)).to.not.match(/\btest_[0-9a-f]{12}|\.duckdb|main\.|\/tmp/);
      });
    }
  }

  for (const sql of TOO_EXPENSIVE) {
    it(`is above the bound: ${sql}`, async () => {
      const error = await errorOf(playground.plan(sql));
      expect(error).to.be.instanceOf(SqlFailedError);
      expect((error as Error).message).to.match(/rows.*: join on equal columns, or select fewer rows\.$/);
    });
  }

  it('is known for queries that analysts ask, and cheap for most', async () => {
    // Neighbouring queries are similar. `test/soak/query-costs.test.ts` plans all of them.
    const sample = QUERIES.filter((_sql, index) => index % 4 === 0);
    expect(sample).to.have.length.above(20);
    await expectKnownCosts(playground, sample);
  });

  it('is that of the bound id', async () => {
    const sql = 'SELECT COUNT(*) FROM github_events WHERE repo_id = :repo_id';
    const { lane } = await playground.plan(sql, { context: { type: 'repo', id: 12 } });
    expect(lane).to.equal('cheap');
  });

  it('is not computed for SQL that the guard or the database rejects', async () => {
    expect(await errorOf(playground.plan('DELETE FROM github_events'))).to.be.instanceOf(SqlRejectedError);
    expect(await errorOf(playground.plan('SELECT email FROM github_users'))).to.be.instanceOf(SqlRejectedError);
    expect(await errorOf(playground.plan('SELECT 1; DROP TABLE github_events'))).to.be.instanceOf(SqlRejectedError);
  });

  it('is not computed after the caller has left, or after the time limit', async () => {
    const left = AbortSignal.abort();
    expect(await errorOf(playground.plan('SELECT 1', { signal: left }))).to.include({ code: 'query_cancelled' });
    // This database never answers, so only the time limit can end the request.
    const silent: Pick<Database, 'name' | 'concurrency' | 'prepare' | 'explain'> = {
      name: database.name,
      concurrency: 1,
      prepare: (sql) => database.prepare(sql),
      explain: (_query, _values, limits) => withDeadline(limits, (deadline) => deadline.bound(new Promise(() => {}))),
    };
    const hurried = new Playground(silent as Database, TABLE_REFERENCE, 1);
    expect(await errorOf(hurried.plan(TOO_EXPENSIVE[2] ?? ''))).to.include({ code: 'query_timeout' });
  });
});

describe('a recorded plan', () => {
  for (const { title, database, columns, rows, expected } of RECORDED_PLANS) {
    it(`${title}: ${typeof expected === 'number' ? `${expected} rows` : 'is rejected'}`, () => {
      const result = { columns: columns.map((name) => ({ name, type: 'VARCHAR' })), rows, more: false };
      const read = (): QueryPlan => readQueryPlan(database, result);
      if (typeof expected === 'number') expect(read().estimatedRows).to.equal(expected);
      else expect(read).to.throw(SqlFailedError, expected);
    });
  }

  it('with more rows than were read is rejected', () => {
    const result = { columns: [{ name: 'id', type: 'INT' }], rows: [[1]], more: true };
    expect(() => readQueryPlan('mysql', result)).to.throw(SqlFailedError, 'does not state its cost');
  });

  it('has a bound that is above the limit of cheap queries', () => {
    expect([MAX_CHEAP_ROWS, MAX_ESTIMATED_ROWS]).to.deep.equal([2_000_000, 10_000_000_000]);
  });
});
