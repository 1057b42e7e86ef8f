import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { Database } from '../../engine/databases/interface/database.js';
import { codeOf } from '../databases/failures.js';
import { ALLOWED_QUERIES, DUCKDB_QUERIES, MARIADB_QUERIES } from '../playground/expensive-queries.js';
import { askPlayground, startTwoPlaygrounds, type TwoPlaygrounds } from '../playground/two-playgrounds.js';
import type { DemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { workerProcesses } from '../services/worker-processes.js';
import { record } from './report.js';

const CONCURRENT_QUERIES = 40;
/** The time limit of playground queries in these tests. */
const TIMEOUT_MS = 2_000;
/** The time limit of a query that runs alone. Each query keeps a CPU busy for this time. */
const ALONE_MS = 500;
/** The accepted delay. A query that is not stopped would take minutes, but a busy machine can stop it some seconds late. */
const SLACK_MS = 8_000;

describe('queries that would use all resources', () => {
  const server = useMysql();
  let two: TwoPlaygrounds;
  before(async () => {
    two = await startTwoPlaygrounds(server, 6_000, TIMEOUT_MS / 1_000);
  });
  after(() => two?.close());

  // Each playground is opened once, because the account on the server may open only a few connections.
  const opened = new Map<DemoService, Promise<Database>>();
  const playgroundOf = (service: DemoService): Promise<Database> => {
    const playground = opened.get(service) ?? service.openPlayground();
    opened.set(service, playground);
    return playground;
  };

  for (const [name, serviceOf, bombs] of [
    ['DuckDB', () => two.embedded, DUCKDB_QUERIES],
    [SERVER, () => two.served, MARIADB_QUERIES],
  ] as const) {
    it(`end in time one by one without the guard, on ${name}`, async () => {
      const database = await playgroundOf(serviceOf());
      for (const sql of bombs) {
        const { code, ms } = await measure(() => runUnguarded(database, sql, ALONE_MS));
        expect([sql, ms]).to.satisfy(
          ([, took]: [string, number]) => took < ALONE_MS + SLACK_MS,
          `${sql} took ${ms} ms: ${code}`,
        );
        expect(code, sql).to.be.oneOf(ALLOWED_OUTCOMES);
      }
    });

    it(`end in time without effect on memory and /v1, ${CONCURRENT_QUERIES} at once without the guard, on ${name}`, async () => {
      const database = await playgroundOf(serviceOf());
      await expectStable(
        serviceOf(),
        database,
        (sql) => runUnguarded(database, sql, TIMEOUT_MS),
        bombs,
        TIMEOUT_MS + SLACK_MS,
      );
    });

    it(`end in time without effect on memory and /v1, ${CONCURRENT_QUERIES} at once over HTTP, on ${name}`, async () => {
      const ask = async (sql: string) => {
        const { status, body } = await askPlayground(serviceOf(), sql);
        expect(status, JSON.stringify(body)).to.be.oneOf([200, 422, 503, 504]);
        return String(body.code ?? 'no error');
      };
      await expectStable(serviceOf(), await playgroundOf(serviceOf()), ask, ALLOWED_QUERIES, TIMEOUT_MS + SLACK_MS);
    });
  }
});

/** Possible outcomes of a query. `failed` is an error of DuckDB that is caused by the SQL. */
const ALLOWED_OUTCOMES = ['no error', 'query_timeout', 'query_failed', 'overloaded', 'query_cancelled', 'failed'];

async function runUnguarded(database: Database, sql: string, timeoutMs: number): Promise<string> {
  const code = await codeOf(database.query({ sql }, [], { maxRows: 101, timeoutMs }));
  return /^[a-z_ ]+$/.test(code) ? code : 'failed';
}

async function measure(work: () => Promise<string>): Promise<{ readonly code: string; readonly ms: number }> {
  const started = performance.now();
  return { code: await work(), ms: performance.now() - started };
}

/**
 * Runs all queries concurrently, and sends requests to `/v1` meanwhile. Expects all queries to end in time, and the memory to stay bounded.
 */
async function expectStable(
  service: DemoService,
  playground: Database,
  ask: (sql: string) => Promise<string>,
  bombs: readonly string[],
  maxMs: number,
): Promise<void> {
  await warmUp(service, playground);
  const before = await residentBytes();
  const storm = Array.from({ length: CONCURRENT_QUERIES }, (_, index) =>
    measure(() => ask(bombs[index % bombs.length] ?? '')),
  );
  let isOver = false;
  const ended = Promise.all(storm).finally(() => {
    isOver = true;
  });
  const statuses = new Set<number>();
  while (!isOver) {
    statuses.add((await service.get('/v1/collections/')).status);
  }
  const answers = await ended;
  record(
    'expensive queries at once',
    `the last one ended after ${Math.round(Math.max(...answers.map(({ ms }) => ms)))} ms`,
  );
  for (const { code, ms } of answers) {
    expect(code).to.be.a('string');
    expect(ms).to.be.lessThan(maxMs);
  }
  expect([...statuses]).to.deep.equal([200]);
  await eventually(async () => (await residentBytes()) - before < 100 * 1024 * 1024);
  expect((await askPlayground(service, 'SELECT COUNT(*) AS n FROM collections')).status).to.equal(200);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Opens every connection of both playgrounds. */
async function warmUp(service: DemoService, playground: Database): Promise<void> {
  const connections = Array.from({ length: playground.concurrency });
  await Promise.all(connections.flatMap(() => [playground.ping(10_000), askPlayground(service, 'SELECT 1')]));
}

/** Returns the resident memory of this process, which runs the service, and of its worker processes, after a garbage collection. */
async function residentBytes(): Promise<number> {
  collectGarbage();
  const workers = await workerProcesses();
  return workers.reduce((sum, worker) => sum + worker.residentBytes, process.memoryUsage.rss());
}
