import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually, LIMIT_MS } from '../services/eventually.js';
import { needRedis, type PrivateRedis, startRedis } from '../services/redis.js';
import { startTcpProxy } from '../services/tcp-proxy.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { ask, burst, countOf } from './requests.js';

/** Long timeouts: with its usual timeouts, a service on a busy machine would count in its own memory. */
const PATIENT = { redisMs: LIMIT_MS, redisConnectMs: LIMIT_MS };

/** `test/soak/shared-limits.test.ts` repeats these tests under load, and kills Redis at random moments. */
describe('limits that are counted in Redis', () => {
  needRedis();
  let redis: PrivateRedis;
  let client: Redis;
  let demo: DemoService;
  let other: DemoService;
  before(async () => {
    redis = await startRedis(['--requirepass', 'p@ss']);
    client = new Redis(urlOf(redis.port));
    // Ignored, because Redis is killed in some tests.
    client.on('error', () => undefined);
    [demo, other] = await Promise.all([serve(), serve()]);
    await eventually(() => isRedisHealthy(demo));
    await eventually(() => isRedisHealthy(other));
  });
  after(async () => {
    client?.disconnect();
    await Promise.all([demo?.close(), other?.close()]);
    await redis?.remove();
  });

  const urlOf = (port: number, password = 'p%40ss') => `redis://:${password}@127.0.0.1:${port}/2`;
  const serve = (environment: Readonly<Record<string, string>> = {}, timeouts = PATIENT) => {
    const settings = { REDIS_URL: urlOf(redis.port), RATE_LIMIT_PER_HOUR: '120', ENDPOINTS_DIR: FEW_ENDPOINTS };
    return startDemoService({ ...settings, ...environment }, { timeouts });
  };
  const isRedisHealthy = async (service: DemoService) => {
    const health = (await (await service.get('/healthy/')).json()) as { isRedisHealthy: boolean; healthy: boolean };
    expect(health.healthy).to.equal(true);
    return health.isRedisHealthy;
  };
  // Each test uses a different address, because requests are counted by address.
  const pathOf = ({ service }: DemoService) => `${service.url}/v1/nothing`;
  const countedInRedis = async (from: string) => Number(await client.get(`repo-insight:limit:v1-address:${from}`));
  const left = async (service: DemoService, from: string) =>
    Number((await ask(pathOf(service), { from })).headers['x-ratelimit-remaining']);

  it('are reported as counted in memory if Redis cannot count', async () => {
    const faults = [
      [() => client.config('SET', 'maxmemory', '1'), () => client.config('SET', 'maxmemory', '0')],
      [
        () => client.acl('SETUSER', 'default', '-eval', '-evalsha'),
        () => client.acl('SETUSER', 'default', '+eval', '+evalsha'),
      ],
    ] as const;
    for (const [index, [begin, end]] of faults.entries()) {
      await begin();
      expect(await isRedisHealthy(demo)).to.equal(false);
      expect(await left(demo, '127.0.0.2')).to.equal(119 - index);
      await end();
      expect(await isRedisHealthy(demo)).to.equal(true);
    }
  });

  it('allow exactly 120 concurrent requests of one address at two services together', async () => {
    const from = '127.0.0.3';
    const bursts = await Promise.all([demo, other].map((service) => burst(pathOf(service), 80, from)));
    const passed = bursts.map((counts) => counts[404] ?? 0);
    expect(bursts.map((counts) => counts[429] ?? 0)).to.deep.equal(passed.map((count) => 80 - count));
    expect(passed.reduce((sum, count) => sum + count)).to.equal(120);
    expect(await countedInRedis(from)).to.equal(120);
  });

  it('stay exact when Redis is killed and comes back without its counts', async () => {
    const [used, free] = ['127.0.0.4', '127.0.0.5'];
    expect(await burst(pathOf(demo), 60, used)).to.deep.equal({ 404: 60 });
    expect([await left(demo, free), await left(demo, free), await left(demo, free)]).to.deep.equal([119, 118, 117]);
    await redis.kill();
    expect(await burst(pathOf(demo), 80, used)).to.deep.equal({ 404: 60, 429: 20 });
    expect([await left(demo, free), await left(demo, free)]).to.deep.equal([116, 115]);
    expect(await isRedisHealthy(demo)).to.equal(false);
    await redis.restart();
    await eventually(() => isRedisHealthy(demo));
    expect((await ask(pathOf(demo), { from: used })).status).to.equal(429);
    let known = 115;
    await eventually(async () => {
      expect(await left(demo, free)).to.equal(known - 1);
      known -= 1;
      return (await countedInRedis(free)) > 0;
    });
    expect(await countedInRedis(free)).to.equal(120 - known);
    const messages = demo.log.map(({ msg }) => msg).filter((message) => /Redis/.test(String(message)));
    expect(messages.slice(-2)).to.deep.equal([
      'Redis is unavailable; requests are counted in memory until it is back',
      'Redis is back',
    ]);
  });

  it('are counted in a Redis that starts later', async () => {
    const from = '127.0.0.6';
    await redis.kill();
    const late = await serve();
    try {
      expect(await left(late, from)).to.equal(119);
      await redis.restart();
      await eventually(async () => {
        await left(late, from);
        return (await countedInRedis(from)) > 0;
      });
    } finally {
      await late.close();
    }
  });

  it('stay exact while Redis stalls, and are counted there again when it continues', async () => {
    const proxy = await startTcpProxy(redis.port);
    const settings = { REDIS_URL: urlOf(proxy.port), RATE_LIMIT_PER_HOUR: '60' };
    const stalled = await serve(settings, { ...PATIENT, redisMs: 300 });
    try {
      const from = '127.0.0.7';
      const statuses: number[] = [];
      const send = async (times: number) => {
        for (let time = 0; time < times; time += 1) statuses.push((await ask(pathOf(stalled), { from })).status);
      };
      await send(10);
      proxy.stall();
      await send(90);
      expect(countOf(statuses)).to.deep.equal({ 404: 60, 429: 40 });
      expect(await isRedisHealthy(stalled)).to.equal(false);
      proxy.resume();
      await eventually(() => isRedisHealthy(stalled));
    } finally {
      await stalled.close();
      await proxy.close();
    }
  });

  it('report that Redis rejects the password without showing it, and are counted in memory', async () => {
    const rejected = await serve({ REDIS_URL: urlOf(redis.port, 'wrong-secret'), RATE_LIMIT_PER_HOUR: '1' });
    try {
      expect((await rejected.get('/v1/nothing')).status).to.equal(404);
      expect((await rejected.get('/v1/nothing')).status).to.equal(429);
      const [line] = rejected.log.filter(({ msg }) => /Redis is unavailable/.test(String(msg)));
      expect(line?.reason).to.match(/^WRONGPASS /);
      expect(JSON.stringify(rejected.log)).to.not.include('wrong-secret');
      expect(await isRedisHealthy(rejected)).to.equal(false);
    } finally {
      await rejected.close();
    }
  });
});
