import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { scrape } from '../../metrics/scraped.js';
import { eventually } from '../../services/eventually.js';
import { onBothDatabases } from '../../services/mysql.js';
import type { DemoService } from '../demo-service.js';
import { startFormattedService } from './formatted-service.js';
import { manyRows } from './many-rows.js';
import { begin, readRest } from './read-stream.js';

const LIMITS = '{ rows: 10, stream_rows: 100000000, timeout: 60s, concurrency: 2 }';
const DEFINITIONS = {
  held: manyRows('held', 8, LIMITS),
  'other-held': manyRows('other-held', 8, LIMITS),
  free: manyRows('free', 1, LIMITS),
};

onBothDatabases('streams whose clients take nothing', (database) => {
  let demo: DemoService;
  beforeEach(async () => {
    const environment = { DATABASE_CONNECTIONS: '3', METRICS_PORT: '0' };
    demo = await startFormattedService(DEFINITIONS, { ...database(), ...environment });
  });
  afterEach(() => demo.close());

  const stall = async (target: string) => {
    const response = await begin(demo.service.url + target);
    await once(response, 'readable');
    return response;
  };
  /**
   * Expects that one stream was ended in a way that its client notices, while the others run until their clients disconnect. If queries of
   * the service itself can also wait, up to `maxEnded` streams may be ended.
   */
  const expectEnded = async (responses: Readonly<Record<string, IncomingMessage>>, maxEnded: number) => {
    const urlOf = ({ req }: Record<string, unknown>) => (req as { url?: string } | undefined)?.url ?? '';
    const lines = () => demo.log.filter((line) => urlOf(line) in responses);
    const results = () => lines().map(({ res, code, level, msg, cache }) => ({ res, code, level, msg, cache }));
    await eventually(() => lines().length > 0);
    const ended = {
      ...{ res: { statusCode: 499, sentStatusCode: 200 }, code: 'client_too_slow' },
      ...{ level: 40, msg: 'request aborted', cache: 'bypass' },
    };
    expect(results()[0]).to.deep.equal(ended);
    const url = urlOf(lines()[0] ?? {});
    expect((await readRest(responses[url] as IncomingMessage)).isComplete).to.equal(false);
    for (const response of Object.values(responses)) response.destroy();
    await eventually(() => lines().length === Object.keys(responses).length);
    // The stream of a second waiting query can end while the others disconnect, so the order of the log lines is not fixed.
    const others = results().filter(({ code }) => code !== ended.code);
    expect(others).to.deep.equal(others.map(() => ({ ...ended, code: 'query_cancelled' })));
    const ends = results().filter(({ code }) => code === ended.code);
    expect(ends.length).to.be.within(1, maxEnded);
    expect(ends).to.deep.equal(ends.map(() => ended));
  };

  it('end when another request of their definition waits, and only as many as wait', async () => {
    const targets = ['/q/held.csv', '/q/held.arrow'];
    const responses = Object.fromEntries(
      await Promise.all(targets.map(async (target) => [target, await stall(target)] as const)),
    );
    await eventually(async () => (await demo.get('/q/held')).status === 200);
    await expectEnded(responses, 1);
    const errors = 'repo_insight_database_query_errors_total{operation="held",code=';
    const metrics = await scrape(demo.service.metricsUrl ?? '');
    expect(metrics.get(`${errors}"client_too_slow"}`)).to.equal(1);
  });

  it('end when a request of another definition waits for a connection', async () => {
    const targets = ['/q/held.ndjson', '/q/held.csv', '/q/other-held.csv'];
    const responses = Object.fromEntries(
      await Promise.all(targets.map(async (target) => [target, await stall(target)] as const)),
    );
    await eventually(async () => (await demo.get('/q/free')).status === 200);
    await expectEnded(responses, 2);
  });
});
