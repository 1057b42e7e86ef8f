import { expect } from 'chai';
import { pino } from 'pino';
import { type EndedQuery, EngineError } from '../../engine/index.js';
import type { Canaries } from '../../server/live/canaries.js';
import type { QueryMetrics } from '../../server/metrics/request-metrics.js';
import { createSlowQueryLog } from '../../server/metrics/slow-query-log.js';
import { observeEngine } from '../../server/requests/observe-engine.js';
import { definition } from '../cache/cached-service.js';
import { createOwnFolder, type OwnFolder } from '../live/own-folder.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';
import { scrape } from './scraped.js';

/** A table with the numbers below 200. */
const NUMBERS = `(${Array.from({ length: 200 }, (_, n) => `SELECT ${n}${n === 0 ? ' AS n' : ''}`).join(' UNION ALL ')})`;
const SECRET = `ghp_${'a'.repeat(36)}`;

describe('the log of requests and queries', () => {
  let own: OwnFolder;
  let demo: DemoService;
  before(async () => {
    own = await createOwnFolder();
    // This definition always exceeds its time limit.
    const endless = definition('endless', {
      more: 'limits: { timeout: 200ms }\n',
      params: '  word: { in: query, type: string, default: a, description: Any text }\n',
      sql: `SELECT COUNT(*) AS id, 'x' AS name FROM calendar_days a JOIN calendar_days b ON a.day <> b.day
  JOIN calendar_days c ON LENGTH(DATE_FORMAT(c.day, '%Y')) + DAY(b.day) + LENGTH({{ word }}) > 0`,
    });
    await own.write('endless.yaml', endless);
    // 40,000 rows. For the number `broken`, the factor is infinite, so the query fails.
    const numbers = definition('numbers', {
      more: 'limits: { rows: 10, stream_rows: 100000, timeout: 60s }\nlint: { unstable-pages: No order }\n',
      params: '  broken: { in: query, type: integer, default: -1, description: The number at which the query fails }\n',
      sql: `SELECT x.id AS id, CONCAT('row number ', x.id) AS name,
    EXP(CASE WHEN x.id = {{ broken }} THEN 1000 ELSE 0 END) AS factor
  FROM (SELECT 200 * a.n + b.n AS id FROM ${NUMBERS} a JOIN ${NUMBERS} b ON a.n >= 0) x ORDER BY id`,
    });
    const factor = '  - { col: factor, data_type: DOUBLE, nullable: false, description: Number }\n';
    await own.write('numbers.yaml', numbers.replace('limits:', `${factor}limits:`));
    const few = 'SELECT c.id AS id, c.name AS name FROM collections c ORDER BY c.id LIMIT 2';
    await own.write('few.yaml', definition('few', { sql: few }));
    const settings = { ENDPOINTS_DIR: own.path, SLOW_QUERY_MS: '50', METRICS_PORT: '0', RATE_LIMIT_PER_HOUR: '12' };
    demo = await startDemoService(settings);
  });
  after(async () => {
    await demo?.close();
    await own?.close();
  });

  it('has one line for a failed query, with its cause, and one for the slow query', async () => {
    const id = 'slow-and-failed';
    const path = `/v1/cached/endless/?word=${SECRET}`;
    expect((await demo.get(path, { headers: { 'X-Request-Id': id } })).status).to.equal(504);
    const lines = () => demo.log.filter((line) => JSON.stringify(line).includes(id));
    await eventually(() => lines().some(({ req }) => req !== undefined));
    const [slow, request, ...others] = lines();
    expect(others).to.deep.equal([]);
    const { res, operation, code, msg, level, err } = request as Record<string, unknown>;
    expect({ res, operation, code, msg, level }).to.deep.equal({
      ...{ res: { statusCode: 504 }, operation: 'endless', code: 'query_timeout', msg: 'request failed', level: 50 },
    });
    expect((err as { message: string }).message).to.include('200 ms');
    const { requestId, parameters, msg: text, omitted, code: reason, databaseMs } = slow as Record<string, unknown>;
    expect({ requestId, parameters, text, omitted, operation: slow?.operation }).to.deep.equal({
      ...{ requestId: id, parameters: 'word=…', text: 'a query was slow', omitted: 0 },
      operation: 'endless',
    });
    // The time limits of the request and of its query end at the same moment, so either code is possible.
    expect(reason).to.be.oneOf(['query_timeout', 'query_cancelled']);
    expect(databaseMs).to.be.at.least(50);
    const [summary] = demo.service.queries.slowest(1);
    expect([summary?.operation, summary?.slow, summary?.failed]).to.deep.equal(['endless', 1, 1]);
  });

  it('has one line in ten seconds for the metadata queries that fail because the database is unavailable', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
    let time = 0;
    const queries = { observe: () => undefined, isSlow: () => false } as unknown as QueryMetrics;
    const rest = { visits: undefined, canaries: {} as Canaries, logSlow: () => undefined, tracing: undefined };
    const observe = observeEngine(logger, { ...rest, queries, now: () => time });
    const fail = (endpoint: string, code: 'database_unavailable' | 'query_failed') =>
      observe({ kind: 'metadata_query_failed', endpoint, key: 'data_as_of', cause: new EngineError(code, 'No.') });
    for (const endpoint of ['a', 'b', 'c']) fail(endpoint, 'database_unavailable');
    for (const endpoint of ['d', 'e']) fail(endpoint, 'query_failed');
    time = 10_000;
    fail('f', 'database_unavailable');
    expect(lines.map(({ endpoint, omitted, msg }) => [endpoint, omitted, msg])).to.deep.equal([
      ['a', 0, 'a metadata query failed'],
      ['d', undefined, 'a metadata query failed'],
      ['e', undefined, 'a metadata query failed'],
      ['f', 2, 'a metadata query failed'],
    ]);
  });

  const lineOf = async (path: string) => {
    const id = `line-of-${path.replaceAll(/\W/g, '.')}`;
    await fetch(demo.service.url + path, { headers: { 'X-Request-Id': id } }).then((response) =>
      response.arrayBuffer().catch(() => undefined),
    );
    const find = () => demo.log.find(({ req }) => (req as { id?: string } | undefined)?.id === id);
    await eventually(() => find() !== undefined);
    return find() as Record<string, unknown>;
  };

  it('has the rows, the source and the database time of formatted answers, streamed or stored', async () => {
    const rows = 40_000;
    for (const path of ['/v1/cached/numbers.ndjson', '/v1/cached/numbers.csv', '/q/numbers.ndjson']) {
      const { operation, cache, databaseMs, bytes, ...line } = await lineOf(path);
      expect({ path, operation, cache, rows: line.rows }).to.deep.equal({
        path,
        operation: 'numbers',
        cache: 'bypass',
        rows,
      });
      expect(databaseMs).to.be.above(0);
      expect(bytes).to.be.above(rows * 'row number'.length);
    }
    const broken = await lineOf(`/v1/cached/numbers.ndjson?broken=${rows - 1}`);
    const { operation, cache, code, rows: sent, level, msg } = broken;
    expect(sent).to.be.within(1, rows - 1);
    expect({ operation, cache, code, level, msg }).to.deep.equal({
      ...{ operation: 'numbers', cache: 'bypass', code: 'query_failed' },
      // The status 200 was already sent before the failure.
      ...{ level: 50, msg: 'request failed' },
    });
    const stored = await lineOf('/v1/cached/few.csv');
    expect([stored.operation, stored.cache, stored.rows]).to.deep.equal(['few', 'computed', 2]);
    const metrics = await scrape(demo.service.metricsUrl ?? '');
    expect(metrics.get('repo_insight_rows_returned_total{operation="numbers"}')).to.be.at.least(3 * rows);
    const queries = metrics.get('repo_insight_database_query_duration_seconds_count{operation="numbers"}');
    expect(queries).to.equal(4);
  });

  it('has the definition of a request that a limit rejects', async () => {
    for (let time = 0; time < 12; time += 1) await demo.get('/v1/nothing/');
    const { operation, code, res } = await lineOf('/v1/cached/numbers/?page=2');
    expect([operation, code, res]).to.deep.equal(['numbers', 'rate_limited', { statusCode: 429 }]);
    expect((await lineOf('/v1/nothing/else')).operation).to.equal(undefined);
  });

  it('has at most one line for a slow definition in ten seconds, with the number of the others', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    let now = 0;
    const log = createSlowQueryLog(
      logger,
      () => true,
      () => now,
    );
    const query = (endpoint: string): EndedQuery => ({
      ...{ kind: 'queried', endpoint, requestId: undefined, parameters: undefined, rows: 1 },
      ...{ waitMs: 0, ms: 5_000, code: undefined },
    });
    for (now = 0; now < 20_000; now += 1_000) {
      log(query('one'));
      if (now === 5_000) log(query('two'));
    }
    expect(lines.map(({ operation, omitted }) => [operation, omitted])).to.deep.equal([
      ['one', 0],
      ['two', 0],
      ['one', 9],
    ]);
  });
});
