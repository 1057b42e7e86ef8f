import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { listening, start, stopAll } from '../cli/command-line.js';
import { startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { burst, countOf } from '../service/requests.js';
import { eventually } from '../services/eventually.js';
import { needRedis, type PrivateRedis, startRedis } from '../services/redis.js';
import { startTcpProxy } from '../services/tcp-proxy.js';
import { withBusyProcessors } from './busy-processors.js';
import { record, seedOf } from './report.js';

describe('limits that are counted in Redis, under load', () => {
  needRedis();
  let redis: PrivateRedis;
  let folder: string;
  beforeEach(async () => {
    redis = await startRedis();
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  });
  afterEach(async () => {
    stopAll();
    await redis?.remove();
    await rm(folder, { recursive: true });
  });

  const isRedisHealthy = async (url: string) =>
    ((await (await fetch(`${url}/healthy/`)).json()) as { isRedisHealthy: boolean }).isRedisHealthy;

  it('allow exactly 600 requests of two processes together while all cores are busy', async () => {
    const servers = ['one', 'two'].map((name) => {
      const database = `duckdb:${join(folder, `${name}.duckdb`)}`;
      const own = { PORT: '0', DATABASE_URL: database, DATA_DIR: folder, REDIS_URL: redis.url };
      return start(['serve'], { environment: { ...own, ENDPOINTS_DIR: FEW_ENDPOINTS } });
    });
    const urls = await Promise.all(servers.map(listening));
    await eventually(async () => (await Promise.all(urls.map(isRedisHealthy))).every((isHealthy) => isHealthy));
    const burstAll = () => Promise.all(urls.map((url) => burst(`${url}/v1/nothing`, 1_000)));
    const bursts = await withBusyProcessors(burstAll);
    const passed = bursts.map((counts) => counts[404] ?? 0);
    expect(bursts.map((counts) => counts[429])).to.deep.equal(passed.map((count) => 1_000 - count));
    expect(passed.reduce((sum, count) => sum + count)).to.equal(600);
    for (const { child } of servers) child.kill('SIGTERM');
    const outcomes = await Promise.all(servers.map(({ ended }) => ended));
    expect(outcomes.map(({ code }) => code)).to.deep.equal([0, 0]);
    expect(outcomes.flatMap(({ out }) => out.match(/.*Redis.*/g) ?? [])).to.deep.equal([]);
  });

  it('stay exact when Redis is killed at any moment', async () => {
    const seed = seedOf('limits in Redis');
    const [moment = 0] = fc.sample(fc.integer({ min: 1, max: 900 }), { numRuns: 1, seed });
    const settings = { REDIS_URL: redis.url, RATE_LIMIT_PER_HOUR: '600', ENDPOINTS_DIR: FEW_ENDPOINTS };
    const demo = await startDemoService(settings, { timeouts: { redisMs: 10_000 } });
    try {
      await eventually(() => isRedisHealthy(demo.service.url));
      const statuses: number[] = [];
      const ask = async (times: number) => {
        for (let time = 0; time < times; time += 1) {
          statuses.push((await fetch(`${demo.service.url}/v1/nothing`)).status);
        }
      };
      const callers = Array.from({ length: 20 }, () => ask(50));
      await eventually(() => statuses.length >= moment);
      await redis.kill();
      await Promise.all(callers);
      expect(countOf(statuses)).to.deep.equal({ 404: 600, 429: 400 });
    } finally {
      await demo.close();
    }
  });

  it('delay no request for long when Redis stalls', async () => {
    const proxy = await startTcpProxy(redis.port);
    const settings = { REDIS_URL: `redis://127.0.0.1:${proxy.port}`, ENDPOINTS_DIR: FEW_ENDPOINTS };
    const demo = await startDemoService(settings, { timeouts: { redisMs: 300 } });
    try {
      await eventually(() => isRedisHealthy(demo.service.url));
      proxy.stall();
      const times: number[] = [];
      for (let count = 0; count < 90; count += 1) {
        const began = performance.now();
        await (await fetch(`${demo.service.url}/v1/nothing`)).arrayBuffer();
        times.push(performance.now() - began);
      }
      const sum = times.reduce((total, time) => total + time, 0);
      record(
        '90 requests while Redis stalls',
        `${Math.round(sum)} ms, the longest ${Math.round(Math.max(...times))} ms`,
      );
      // Only the first request waits, for 300 ms. If every request waited, the total would be at least 27 s.
      expect(sum).to.be.below(20_000);
      expect(times.filter((time) => time > 250)).to.have.length.below(5);
    } finally {
      await demo.close();
      await proxy.close();
    }
  });
});
