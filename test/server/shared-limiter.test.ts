import { expect } from 'chai';
import express from 'express';
import { pino } from 'pino';
import { createLimiter, type Limiter, takeAll } from '../../engine/http/limits/limiter.js';
import { applyLimits } from '../../engine/http/limits/request-limits.js';
import { openRedis, type RedisConnection, type SilenceTime } from '../../engine/http/redis/redis.js';
import { type Listening, listen } from '../../server/listening/listen.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { eventually } from '../services/eventually.js';
import { useRedis } from '../services/redis.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';

describe('limiters of two processes that share a Redis', () => {
  const redis = useRedis();
  const logger = pino({ level: 'silent' });
  let proxy: TcpProxy;
  let connections: RedisConnection[];
  /** The functions that end the silence timers of the connections to Redis. A timer only ends when a test ends it. */
  let ends: Set<() => void>;
  const time: SilenceTime = {
    now: () => 0,
    after: (_ms, run) => {
      ends.add(run);
      return () => ends.delete(run);
    },
    afterReading: (run) => run(),
  };
  /** Ends the silence timer of all requests that wait for Redis. */
  const endWaiting = async () => {
    await eventually(() => ends.size > 0);
    while (ends.size > 0) {
      const [end] = ends;
      ends.delete(end as () => void);
      end?.();
    }
  };
  beforeEach(async () => {
    ends = new Set();
    proxy = await startTcpProxy(Number(new URL(redis.url).port));
    const url = new URL(redis.url);
    url.port = String(proxy.port);
    const options = { url: url.href, timeoutMs: 500, logger, silenceTime: time };
    connections = await Promise.all([0, 1].map(() => openRedis(options)));
    await eventually(() => connections.every(({ client }) => client.status === 'ready'));
  });
  afterEach(async () => {
    for (const connection of connections) connection.close();
    await proxy.close();
  });

  const limitersOf = (name: string, points: number): [Limiter, Limiter] => {
    const [one, other] = connections.map((connection) => createLimiter({ name, points, seconds: 60 }, connection));
    return [one, other] as [Limiter, Limiter];
  };
  const isOver = async (limiter: Limiter) => (await takeAll([{ limiter, key: 'a' }]))[0]?.isOver;
  const left = async (limiter: Limiter) => (await takeAll([{ limiter, key: 'a' }]))[0]?.remaining;

  it('count together', async () => {
    const [one, other] = limitersOf('together', 10);
    expect([await left(one), await left(other), await left(one), await left(other)]).to.deep.equal([9, 8, 7, 6]);
  });

  it('continue from the last counts of Redis when it is unavailable', async () => {
    const [one, other] = limitersOf('gone', 10);
    for (let times = 0; times < 5; times += 1) await left(other);
    expect(await left(one)).to.equal(4);
    await proxy.close();
    expect([await left(one), await left(one), await left(other)]).to.deep.equal([3, 2, 4]);
  });

  it('take no point of one limit if another one is used up in Redis', async () => {
    const addresses = limitersOf('addresses', 10);
    const all = limitersOf('all', 3);
    const statuses: number[] = [];
    const [one, other] = await Promise.all([serve(addresses[0], all[0]), serve(addresses[1], all[1])]);
    // Only through Redis can the second process know that the first process has used up the limit.
    for (const { url } of [one, one, one, other, other]) statuses.push((await fetch(url)).status);
    await Promise.all([one.close(), other.close()]);
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429]);
    expect(await left(addresses[0])).to.equal(10 - 3 - 1);
  });

  it('stay exact if Redis loses its counts', async () => {
    const [one, other] = limitersOf('lost', 100);
    const passed: (boolean | undefined)[] = [];
    for (let times = 0; times < 70; times += 1) passed.push(await isOver(times % 2 === 0 ? one : other));
    await connections[0]?.client.flushall();
    for (let times = 0; times < 70; times += 1) passed.push(await isOver(times % 2 === 0 ? other : one));
    expect(passed.filter((over) => over === false)).to.have.length(100);
  });

  it('count an answer that arrives after the time limit', async () => {
    const [one, other] = limitersOf('late', 10);
    expect([await left(one), await left(other)]).to.deep.equal([9, 8]);
    proxy.stall();
    const late = left(one);
    await endWaiting();
    expect(await late, 'counted in memory').to.equal(8);
    // Redis has also counted the late request, so 7 requests remain.
    proxy.resume();
    await eventually(async () => (await connections[0]?.ask(async () => true).catch(() => false)) ?? false);
    expect([remaining(one), await left(other), await left(one)]).to.deep.equal([7, 6, 5]);
  });

  it('do not wait for a Redis that was silent before it answers in time again', async () => {
    const [one] = limitersOf('silent', 1_000);
    await left(one);
    proxy.stall();
    const first = left(one);
    await endWaiting();
    await first;
    // From here on no timer ends, so a request that waits for Redis would never end.
    for (let times = 0; times < 500; times += 1) await left(one);
    expect(remaining(one)).to.equal(1_000 - 502);
    proxy.resume();
    await eventually(async () => (await connections[0]?.ask(async () => true).catch(() => false)) ?? false);
  });
});

function remaining({ limit, known }: Limiter): number {
  return limit.points - known.countOf('a');
}

/** Starts a server that answers 200 within the limits and 429 above them. */
function serve(...limiters: readonly Limiter[]): Promise<Listening> {
  const limits = limiters.map((limiter) => ({
    limiter,
    keyOf: () => 'a',
    description: `the limit ${limiter.limit.name}`,
  }));
  const applyLimit = applyLimits(limits);
  const app = express().use(async (request, response) => {
    await applyLimit(request);
    response.end();
  });
  app.use(((_error, _request, response, _next) => response.status(429).end()) as express.ErrorRequestHandler);
  return listen(app, readSettings({ PORT: '0' }));
}
