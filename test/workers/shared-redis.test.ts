import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { run, stopAll } from '../cli/command-line.js';
import { parseScrape } from '../metrics/scraped.js';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { needRedis, type PrivateRedis, startRedis } from '../services/redis.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { NO_LIMITS, startWorkers, type WorkerService } from './worker-service.js';

const SCRAPER = 'a-token-of-a-scraper-with-32-bytes';
const ALLOWED = 100;
const NAMES = `name: collection-names
path: /v1/live/names/
summary: Names of collections
params: { n: { in: query, type: integer, default: 0, description: Makes requests different } }
columns: [{ col: name, data_type: VARCHAR, nullable: false, description: Name }]
sql: SELECT name FROM collections WHERE id > {{ n }} * 0 ORDER BY name
`;

describe('a service with workers and Redis', () => {
  needRedis();
  const database = useMysql();
  let folder: string;
  let redis: PrivateRedis;
  let [toRedis, toDatabase]: (TcpProxy | undefined)[] = [];
  let environment: Record<string, string>;
  let service: WorkerService;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workers-redis-'));
    await writeFile(join(folder, 'names.yaml'), NAMES);
    redis = await startRedis();
    toRedis = await startTcpProxy(redis.port);
    const url = new URL(database.url);
    toDatabase = await startTcpProxy(Number(url.port));
    url.port = String(toDatabase.port);
    environment = {
      ...{
        ...database.environment,
        ...NO_LIMITS,
        DATABASE_URL: url.href,
        REDIS_URL: `redis://127.0.0.1:${toRedis.port}`,
      },
      ...{ RATE_LIMIT_PER_HOUR: String(ALLOWED), DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: folder, PORT: '0' },
      ...{ METRICS_TOKEN: SCRAPER, VERSION_POLL_MS: '50' },
    };
    service = await startWorkers(2, { environment });
    await service.answeringWorkers(2);
  });
  after(async () => {
    stopAll();
    await Promise.all([toRedis?.close(), toDatabase?.close(), redis?.remove()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends a request on a new connection, so that the workers answer alternately. */
  const ask = async () => {
    const response = await fetch(`${service.url}/v1/live/names/`, { headers: { Connection: 'close' } });
    const { data } = (await response.json()) as { data?: { rows: { name: string }[] } };
    return { status: response.status, names: data?.rows.map(({ name }) => name) };
  };
  const scrape = async () => {
    const headers = { Authorization: `Bearer ${SCRAPER}`, Connection: 'close' };
    const response = await fetch(`${service.url}/metrics`, { headers });
    return parseScrape(await response.text());
  };
  const answersFrom = async (source: string) =>
    (await scrape()).get(`repo_insight_cache_answers_total{source="${source}"}`) ?? 0;
  const isOpen = async (part: string) => (await scrape()).get(`repo_insight_breaker_open{part="${part}"}`);
  let asked = 0;
  const askFour = async () => {
    asked += 4;
    const answers = [await ask(), await ask(), await ask(), await ask()];
    return new Set(answers.map((answer) => JSON.stringify(answer)));
  };

  it('computes an answer once for all workers, until a commit changes its tables', async () => {
    asked += 1;
    expect(await ask()).to.deep.equal({ status: 200, names: [] });
    const client = new Redis(redis.url);
    await eventually(async () => (await client.keys('repo-insight:answer:*')).length > 0);
    client.disconnect();
    expect(await askFour()).to.deep.equal(new Set(['{"status":200,"names":[]}']));
    expect([await answersFrom('computed'), await answersFrom('redis')]).to.deep.equal([1, 1]);
    const file = join(folder, 'collections.json');
    await writeFile(file, JSON.stringify([{ id: 1, name: 'first', public: true, items: [] }]));
    const imported = await run(['data', 'collections', file], { environment });
    expect([imported.code, imported.err]).to.deep.equal([0, '']);
    const both = new Set(['{"status":200,"names":["first"]}']);
    await eventually(async () => JSON.stringify([...(await askFour())]) === JSON.stringify([...both]));
    expect(await askFour()).to.deep.equal(both);
  });

  it('counts the requests of all workers against one limit', async () => {
    let allowed = 0;
    for (let request = asked; request < ALLOWED + 10; request += 1) if ((await ask()).status === 200) allowed += 1;
    expect(asked + allowed).to.equal(ALLOWED);
    expect((await scrape()).get('repo_insight_rate_limited_requests_total{limit="v1-address"}')).to.equal(10);
  });

  it('reports in its metrics that Redis and the database are unavailable', async () => {
    expect([await isOpen('redis'), await isOpen('database')]).to.deep.equal([0, 0]);
    await toRedis?.close();
    await eventually(async () => (await isOpen('redis')) === 1);
    await toDatabase?.close();
    // The answers to these requests are not cached, because each request is different.
    let n = 0;
    await eventually(async () => {
      n += 1;
      await askAsOther(`${service.url}/v1/live/names/?n=${n}`);
      return (await isOpen('database')) === 1;
    });
  });
});

/** Sends a request from another address, whose rate limit is not used up. */
function askAsOther(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { localAddress: '127.0.0.2', agent: false }, (response) => {
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}
