import { once } from 'node:events';
import { expect } from 'chai';
import { scrape } from '../../metrics/scraped.js';
import { eventually } from '../../services/eventually.js';
import { onBothDatabases } from '../../services/mysql.js';
import type { DemoService } from '../demo-service.js';
import { startFormattedService } from './formatted-service.js';
import { failsInOrder, manyRows } from './many-rows.js';
import { begin, readRest, readStream } from './read-stream.js';

const LIMITS = '{ rows: 10, stream_rows: 100000000, timeout: 60s }';
const DEFINITIONS = {
  ordered: manyRows('ordered', 5, LIMITS, ' ORDER BY id'),
  broken: manyRows('broken', 5, LIMITS),
  endless: manyRows('endless', 8, LIMITS),
  short: manyRows('short', 8, '{ rows: 10, stream_rows: 100000000, timeout: 1500ms }'),
  unread: manyRows('unread', 8, '{ rows: 10, stream_rows: 100000000, timeout: 10s }'),
  slow: manyRows('slow', 4, LIMITS).replace("CONCAT('row number ', x.id)", "CONCAT(REPEAT('x', 6000), x.id)"),
};

/** More rows than a service reads before it sends the headers of an answer. */
const ROWS = 20_000;

onBothDatabases('reports of streamed answers', (database, onServer) => {
  let demo: DemoService;
  before(async () => {
    demo = await startFormattedService(DEFINITIONS, { ...database(), METRICS_PORT: '0', SLOW_QUERY_MS: '1' });
  });
  after(() => demo.close());

  const lineOf = async (target: string) => {
    const find = () => demo.log.find(({ req }) => (req as { url?: string } | undefined)?.url === target);
    await eventually(() => find() !== undefined);
    const { res, operation, code, level, msg, cache, rows, databaseMs, responseTime } = find() ?? {};
    expect(databaseMs).to.be.above(0);
    const numbers = { rows, databaseMs, responseTime } as Record<'rows' | 'databaseMs' | 'responseTime', number>;
    return { numbers, line: { res, operation, code, level, msg, cache } };
  };
  const read = (path: string) => readStream(demo.service.url + path);
  /** Returns the number of requests by status. */
  const statuses = async (operation: string) => {
    const [family, start] = ['repo_insight_http_requests_total', `{operation="${operation}",method="GET",status=`];
    const counts = [...(await scrape(demo.service.metricsUrl ?? ''))].filter(([key]) => key.startsWith(family + start));
    return Object.fromEntries(counts.map(([key, count]) => [/status="(\d+)"/.exec(key)?.[1], count]));
  };

  it('have the status of the error of a stream that fails after its head', async () => {
    const operation = failsInOrder(demo.database.name) ? 'ordered' : 'broken';
    const target = `/q/${operation}.csv?rows=${ROWS}&broken=${ROWS - 1}`;
    expect((await read(target)).status).to.equal(200);
    const { line, numbers } = await lineOf(target);
    expect(line).to.deep.equal({
      ...{ res: { statusCode: 500, sentStatusCode: 200 }, operation, code: 'query_failed' },
      ...{ level: 50, msg: 'request failed', cache: 'bypass' },
    });
    expect(numbers.rows).to.be.within(1, ROWS - 1);
    const slow = demo.log.find(({ msg, operation: name }) => msg === 'a query was slow' && name === operation);
    expect([slow?.code, slow?.rows]).to.deep.equal(['query_failed', numbers.rows]);
    expect((await statuses(operation))[500]).to.equal(1);

    // On a busy machine, this stream can exceed its time limit before its headers are sent.
    const { status } = await read('/q/short.csv');
    const limited = await lineOf('/q/short.csv');
    const res = status === 200 ? { statusCode: 504, sentStatusCode: 200 } : { statusCode: 504 };
    expect(limited.line).to.deep.include({ res, code: 'query_timeout' });
    expect(await statuses('short')).to.deep.equal({ 504: 1 });
  });

  it('have 499 for a client that disconnects in the middle of a stream, and 200 for a whole one', async () => {
    const whole = `/q/broken.csv?rows=${ROWS}&broken=-2`;
    expect((await read(whole)).isComplete).to.equal(true);
    const ended = await lineOf(whole);
    expect(ended.line).to.deep.equal({
      ...{ res: { statusCode: 200 }, operation: 'broken', code: undefined },
      ...{ level: 30, msg: 'request completed', cache: 'bypass' },
    });
    expect(ended.numbers.rows).to.equal(ROWS);
    const response = await begin(`${demo.service.url}/q/endless.csv`);
    await once(response, 'data');
    response.destroy();
    const { line } = await lineOf('/q/endless.csv');
    expect(line).to.deep.equal({
      ...{ res: { statusCode: 499, sentStatusCode: 200 }, operation: 'endless', code: 'query_cancelled' },
      ...{ level: 40, msg: 'request aborted', cache: 'bypass' },
    });
    expect(await statuses('endless')).to.deep.equal({ 499: 1 });
  });

  // What follows only depends on the connection to the client.
  if (onServer) return;

  it('have 499 for a client that is too slow for the time limit', async () => {
    const response = await begin(`${demo.service.url}/q/unread.csv`);
    await once(response, 'readable');
    const { line } = await lineOf('/q/unread.csv');
    expect(line).to.deep.equal({
      ...{ res: { statusCode: 499, sentStatusCode: 200 }, operation: 'unread', code: 'client_too_slow' },
      ...{ level: 40, msg: 'request aborted', cache: 'bypass' },
    });
    response.destroy();
    expect(await statuses('unread')).to.deep.equal({ 499: 1 });
  });

  it('have a time of the query without the time in which the client takes nothing', async () => {
    const query = 'repo_insight_database_query_duration_seconds';
    const stalled = await begin(`${demo.service.url}/q/slow.ndjson`);
    await once(stalled, 'readable');
    // While this client reads nothing, other clients get their answers. During the first of these, the buffers for this client fill up.
    let meanwhileMs = 0;
    for (let rows = ROWS; rows < ROWS + 6; rows += 1) {
      const target = `/q/broken.csv?rows=${rows}&broken=-3`;
      await read(target);
      const { responseTime } = (await lineOf(target)).numbers;
      if (rows >= ROWS + 2) meanwhileMs += responseTime;
    }
    expect([stalled.complete, stalled.destroyed]).to.deep.equal([false, false]);
    expect((await readRest(stalled)).isComplete).to.equal(true);
    const { line, numbers } = await lineOf('/q/slow.ndjson');
    expect(line).to.deep.include({ res: { statusCode: 200 }, operation: 'slow' });
    const mostMs = numbers.responseTime - meanwhileMs / 2;
    expect(numbers.databaseMs).to.be.below(mostMs);
    const metrics = await scrape(demo.service.metricsUrl ?? '');
    expect(metrics.get(`${query}_sum{operation="slow"}`)).to.be.within(0.001, mostMs / 1_000);
    const slow = demo.log.find(({ msg, operation }) => msg === 'a query was slow' && operation === 'slow');
    expect(slow?.databaseMs).to.be.within(1, mostMs);
  });
});

describe('reports of answers that a stop of the service ends', () => {
  it('have 503 and one code, because the client did not disconnect', async () => {
    const environment = { SHUTDOWN_TIMEOUT_MS: '200', SLOW_QUERY_MS: '1' };
    const demo = await startFormattedService({ endless: DEFINITIONS.endless }, environment);
    const response = await begin(`${demo.service.url}/q/endless.csv`);
    const ended = once(response, 'close').catch(() => undefined);
    await once(response, 'readable');
    await demo.close();
    const line = demo.log.find(({ req }) => (req as { url?: string } | undefined)?.url === '/q/endless.csv');
    expect(line).to.deep.include({
      ...{ res: { statusCode: 503, sentStatusCode: 200 }, code: 'service_stopped' },
      ...{ level: 50, msg: 'request failed' },
    });
    const slow = demo.log.find(({ msg }) => msg === 'a query was slow');
    expect(slow).to.include({ operation: 'endless', code: 'service_stopped' });
    response.destroy();
    await ended;
  });
});
