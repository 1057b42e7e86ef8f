import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { Timeouts } from '../../server/settings/timeouts.js';
import { listening, start, stopAll } from '../cli/command-line.js';
import { eventually } from '../services/eventually.js';
import { needRedis, type PrivateRedis, startRedis } from '../services/redis.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { withBusyProcessors } from '../soak/busy-processors.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { burst, countOf } from './requests.js';

const EVENTS = 500;
const ADDRESS_KEY = 'repo-insight:limit:v1-address:127.0.0.1';
/**
 * A long time limit for Redis. On a machine under load, a service with the usual limit would stop waiting and count in
 * its own memory.
 */
const PATIENT = { redisMs: 10_000 };

describe('limits that are counted in Redis', () => {
  needRedis();
  let redis: PrivateRedis;
  let proxy: TcpProxy | undefined;
  let demo: DemoService | undefined;
  before(async () => {
    redis = await startRedis(['--requirepass', 'p@ss']);
  });
  beforeEach(() => redis.restart());
  afterEach(async () => {
    stopAll();
    await demo?.close();
    await proxy?.close();
    demo = undefined;
    proxy = undefined;
  });
  after(() => redis?.remove());

  const urlOf = (port: number, password = 'p%40ss') => `redis://:${password}@127.0.0.1:${port}/2`;
  const serve = async (
    environment: Readonly<Record<string, string>> = {},
    timeouts: Partial<Timeouts> = {},
    port = redis.port,
  ) => {
    const settings = { REDIS_URL: urlOf(port), RATE_LIMIT_PER_HOUR: '600', ...environment };
    demo = await startDemoService(settings, EVENTS, {}, timeouts);
    return demo;
  };
  const countedInRedis = async () => {
    const client = new Redis(urlOf(redis.port));
    const count = await client.get(ADDRESS_KEY);
    client.disconnect();
    return Number(count);
  };
  const messages = () => demo?.log.map(({ msg }) => msg).filter((message) => /Redis/.test(String(message)));
  const isRedisHealthy = async () => {
    const health = (await (await demo?.get('/healthy/'))?.json()) as { isRedisHealthy: boolean; healthy: boolean };
    expect(health.healthy).to.equal(true);
    return health.isRedisHealthy;
  };

  it('are reported as counted in memory if Redis accepts no writes', async () => {
    const { service } = await serve();
    const client = new Redis(urlOf(redis.port));
    await client.config('SET', 'maxmemory', '1');
    expect(await isRedisHealthy()).to.equal(false);
    expect(await burst(`${service.url}/v1/nothing`, 10)).to.deep.equal({ 404: 10 });
    await client.config('SET', 'maxmemory', '0');
    expect(await isRedisHealthy()).to.equal(true);
    client.disconnect();
  });

  it('allow exactly 600 of 2,000 concurrent requests of one address', async () => {
    const { service } = await serve({ RATE_LIMIT_PER_MINUTE: '1000' }, PATIENT);
    await eventually(isRedisHealthy);
    expect(await burst(`${service.url}/v1/nothing`, 2_000)).to.deep.equal({ 404: 600, 429: 1_400 });
    expect(await countedInRedis()).to.equal(600);
    expect(await isRedisHealthy()).to.equal(true);
  });

  /**
   * Starts two services that share one Redis. Sends `requests` concurrent requests to each, while other processes keep all
   * cores busy, and returns the number of allowed requests.
   */
  const passedOfTwoProcesses = async (requests: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const servers = ['one', 'two'].map((name) => {
      const database = `duckdb:${join(folder, `${name}.duckdb`)}`;
      const own = { PORT: '0', DATABASE_URL: database, DATA_DIR: folder, REDIS_URL: urlOf(redis.port) };
      const environment = { ...own, ENDPOINTS_DIR: FEW_ENDPOINTS };
      return start(['serve'], { environment });
    });
    const urls = await Promise.all(servers.map(listening));
    const health = async (url: string) =>
      (await (await fetch(`${url}/healthy/`)).json()) as { isRedisHealthy: boolean };
    await eventually(async () => (await Promise.all(urls.map(health))).every((one) => one.isRedisHealthy));
    const burstAll = () => Promise.all(urls.map((url) => burst(`${url}/v1/nothing`, requests)));
    const bursts = await withBusyProcessors(burstAll);
    const passed = bursts.map((counts) => counts[404] ?? 0);
    expect(bursts.map((counts) => counts[429])).to.deep.equal(passed.map((count) => requests - count));
    for (const { child } of servers) child.kill('SIGTERM');
    const outcomes = await Promise.all(servers.map(({ ended }) => ended));
    expect(outcomes.map(({ code }) => code)).to.deep.equal([0, 0]);
    expect(outcomes.flatMap(({ out }) => out.match(/.*Redis.*/g) ?? [])).to.deep.equal([]);
    await rm(folder, { recursive: true });
    return passed.reduce((sum, count) => sum + count);
  };

  it('are reported as counted in memory if the account of Redis cannot count', async () => {
    const client = new Redis(urlOf(redis.port));
    const { service } = await serve();
    await client.acl('SETUSER', 'default', '-eval');
    expect(await isRedisHealthy()).to.equal(false);
    expect(await burst(`${service.url}/v1/nothing`, 10)).to.deep.equal({ 404: 10 });
    await client.acl('SETUSER', 'default', '+eval');
    expect(await isRedisHealthy()).to.equal(true);
    client.disconnect();
  });

  it('allow exactly 600 requests of two processes together while all cores are busy', async () => {
    expect(await passedOfTwoProcesses(1_000)).to.equal(600);
  });

  it('stay exact when Redis is killed under load, survive that, and are shared again when it is back', async () => {
    const { service } = await serve({}, PATIENT);
    await eventually(isRedisHealthy);
    const statuses: number[] = [];
    const ask = async (times: number) => {
      for (let time = 0; time < times; time += 1) statuses.push((await fetch(`${service.url}/v1/nothing`)).status);
    };
    const callers = Array.from({ length: 20 }, () => ask(50));
    await eventually(() => statuses.length > 300);
    await redis.kill();
    await Promise.all(callers);
    expect(countOf(statuses)).to.deep.equal({ 404: 600, 429: 400 });
    expect(await isRedisHealthy()).to.equal(false);
    await redis.restart();
    await eventually(isRedisHealthy);
    expect((await fetch(`${service.url}/v1/nothing`)).status).to.equal(429);
    expect(messages()?.slice(-2)).to.deep.equal([
      'Redis is unavailable; requests are counted in memory until it is back',
      'Redis is back',
    ]);
  });

  it('continue from the counts in memory when Redis comes back without its counts', async () => {
    const { get } = await serve({ RATE_LIMIT_PER_HOUR: '1000' }, PATIENT);
    await eventually(isRedisHealthy);
    const left = async () => Number((await get('/v1/nothing')).headers.get('x-ratelimit-remaining'));
    expect([await left(), await left(), await left()]).to.deep.equal([999, 998, 997]);
    await redis.kill();
    expect([await left(), await left()]).to.deep.equal([996, 995]);
    await redis.restart();
    await eventually(isRedisHealthy);
    let known = 995;
    await eventually(async () => {
      const now = await left();
      expect(now).to.equal(known - 1);
      known = now;
      return (await countedInRedis()) > 0;
    });
    expect(await countedInRedis()).to.equal(1_000 - known);
  });

  it('are counted in a Redis that starts later', async () => {
    await redis.kill();
    const { get } = await serve();
    expect((await get('/v1/nothing')).status).to.equal(404);
    await redis.restart();
    await eventually(async () => {
      await get('/v1/nothing');
      return (await countedInRedis()) > 0;
    });
  });

  it('delay no request for long when Redis stalls, and are counted there again when it continues', async () => {
    proxy = await startTcpProxy(redis.port);
    const { get } = await serve({ RATE_LIMIT_PER_HOUR: '60' }, { redisMs: 300 }, proxy.port);
    const statuses: number[] = [];
    const times: number[] = [];
    const askOnce = async () => {
      const began = performance.now();
      const response = await get('/v1/nothing');
      await response.arrayBuffer();
      times.push(performance.now() - began);
      statuses.push(response.status);
    };
    for (let time = 0; time < 10; time += 1) await askOnce();
    proxy.stall();
    times.length = 0;
    for (let time = 0; time < 90; time += 1) await askOnce();
    expect(countOf(statuses)).to.deep.equal({ 404: 60, 429: 40 });
    // Only the first request waits, for 300 ms. If each request waited, that would take at least 27 s.
    expect(times.reduce((sum, time) => sum + time, 0)).to.be.below(20_000);
    expect(times.filter((time) => time > 250)).to.have.length.below(5);
    expect(await isRedisHealthy()).to.equal(false);
    proxy.resume();
    await eventually(isRedisHealthy);
  });

  it('report that Redis rejects the password without showing it, and are counted in memory', async () => {
    demo = await startDemoService({ REDIS_URL: urlOf(redis.port, 'wrong-secret'), RATE_LIMIT_PER_HOUR: '1' }, EVENTS);
    expect((await demo.get('/v1/nothing')).status).to.equal(404);
    expect((await demo.get('/v1/nothing')).status).to.equal(429);
    const [line] = demo.log.filter(({ msg }) => /Redis is unavailable/.test(String(msg)));
    expect(line?.reason).to.match(/^WRONGPASS /);
    expect(JSON.stringify(demo.log)).to.not.include('wrong-secret');
    expect(await isRedisHealthy()).to.equal(false);
  });
});
