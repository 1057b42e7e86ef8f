import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createKey, writeTenants } from '../access/tenants.js';
import { listening, run, start, stopAll } from '../cli/command-line.js';
import { ask, countOf } from '../service/requests.js';
import { eventually } from '../services/eventually.js';
import { useRedis } from '../services/redis.js';
import { withBusyProcessors } from './busy-processors.js';
import { record } from './report.js';

const REQUESTS = 1_000;
const OF_KEY = 300;
const OF_DEFINITION = 200;
/** After a revocation, no process accepts the key after this time. */
const REVOKED_MS = 1_000;

const LIMITED = `name: limited
access: key
summary: Countries
columns: [{ col: code, data_type: VARCHAR, nullable: true, description: C. }]
sql: SELECT code FROM countries ORDER BY code
limits: { requests: ${OF_DEFINITION}/day }
`;

describe('API keys of several processes while all cores are busy', () => {
  const redis = useRedis();
  let folder: string;
  beforeEach(async () => {
    // The path is short, because the name of a socket has a limit.
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
    await writeTenants(folder);
    await writeFile(join(folder, 'endpoints', 'limited.yaml'), LIMITED);
  });
  afterEach(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  const startAll = async (count: number) => {
    const environment = { PORT: '0', LOG_LEVEL: 'silent', REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '0' };
    const servers = Array.from({ length: count }, () => start(['serve'], { cwd: folder, environment }));
    const urls = await Promise.all(servers.map(listening));
    await eventually(async () => {
      const states = await Promise.all(urls.map(async (url) => (await fetch(`${url}/healthy/`)).json()));
      return states.every((state) => (state as { readonly isRedisHealthy: boolean }).isRedisHealthy);
    });
    return urls;
  };

  it('allow exactly the requests of a key and of a definition over two processes', async () => {
    const urls = await startAll(2);
    const { secret: ofKey } = await createKey(folder, [
      'counted',
      '--scope',
      '*',
      '--claim',
      'tenant=acme',
      '--per-hour',
      String(OF_KEY),
    ]);
    const { secret: ofDefinition } = await createKey(folder, [
      'free',
      '--scope',
      '*',
      '--per-hour',
      String(10 * REQUESTS),
    ]);
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    const burst = async (path: string, secret: string) => {
      const headers = { 'X-API-Key': secret };
      const answers = Array.from({ length: REQUESTS }, (_, index) =>
        ask(`${urls[index % 2]}${path}`, { agent, headers }),
      );
      return countOf((await Promise.all(answers)).map(({ status }) => status));
    };
    const counts = await withBusyProcessors(async () => [
      await burst('/q/orders', ofKey),
      await burst('/q/limited', ofDefinition),
    ]);
    agent.destroy();
    expect(counts).to.deep.equal([
      { 200: OF_KEY, 429: REQUESTS - OF_KEY },
      { 200: OF_DEFINITION, 429: REQUESTS - OF_DEFINITION },
    ]);
  });

  it('are rejected by four processes within one second after their revocation', async () => {
    const urls = await startAll(4);
    const { secret } = await createKey(folder, [
      'revoked',
      '--scope',
      '*',
      '--claim',
      'tenant=acme',
      '--per-hour',
      '1000000',
    ]);
    const accepted = urls.map(() => 0);
    let isOver = false;
    const send = async (url: string, place: number) => {
      while (!isOver) {
        const { status } = await ask(`${url}/q/orders`, { headers: { 'X-API-Key': secret } });
        if (status === 200) accepted[place] = performance.now();
        await pause(5);
      }
    };
    const lastMs = await withBusyProcessors(async () => {
      const senders = urls.map(send);
      await eventually(() => accepted.every((time) => time > 0));
      const { code, err } = await run(['keys', 'revoke', 'revoked', '--yes'], { cwd: folder });
      const revoked = performance.now();
      expect(code, err).to.equal(0);
      await pause(3 * REVOKED_MS);
      isOver = true;
      await Promise.all(senders);
      return Math.max(...accepted) - revoked;
    });
    record('a revoked key on four processes', `last accepted ${Math.round(lastMs)} ms after the command`);
    expect(lastMs).to.be.lessThan(REVOKED_MS);
  });
});
