import { expect } from 'chai';
import express from 'express';
import { pino } from 'pino';
import { limitRequests, turnsWithin } from '../../server/limits/limit-requests.js';
import { createLimiter, type Limiter } from '../../server/limits/limiter.js';
import { listen } from '../../server/listen.js';
import { openRedis, type RedisConnection } from '../../server/redis.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { eventually } from '../services/eventually.js';
import { useRedis } from '../services/redis.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';

describe('limiters of two processes that share a Redis', () => {
  const redis = useRedis();
  const logger = pino({ level: 'silent' });
  let proxy: TcpProxy;
  let connections: RedisConnection[];
  beforeEach(async () => {
    proxy = await startTcpProxy(Number(new URL(redis.url).port));
    const url = new URL(redis.url);
    url.port = String(proxy.port);
    connections = await Promise.all([0, 1].map(() => openRedis({ url: url.href, timeoutMs: 10_000, logger })));
    await eventually(20_000, () => connections.every(({ client }) => client.status === 'ready'));
  });
  afterEach(async () => {
    for (const connection of connections) connection.close();
    await proxy.close();
  });

  const limitersOf = (name: string, points: number): [Limiter, Limiter] => {
    const [one, other] = connections.map((connection) => createLimiter({ name, points, seconds: 60 }, connection));
    return [one, other] as [Limiter, Limiter];
  };
  const left = async (limiter: Limiter) => (await limiter.take('a')).remaining;

  it('count together', async () => {
    const [one, other] = limitersOf('together', 10);
    expect([await left(one), await left(other), await left(one), await left(other)]).to.deep.equal([9, 8, 7, 6]);
  });

  it('go on from what Redis told last when it is gone', async () => {
    const [one, other] = limitersOf('gone', 10);
    for (let times = 0; times < 5; times += 1) await other.take('a');
    expect(await left(one)).to.equal(4);
    await proxy.close();
    expect([await left(one), await left(one), await left(other)]).to.deep.equal([3, 2, 4]);
  });

  it('give back what was taken of one limit when another one turns out to be over', async () => {
    const addresses = limitersOf('addresses', 10);
    const all = limitersOf('all', 3);
    const serve = async (index: 0 | 1) => {
      const limits = [
        { limiter: addresses[index], keyOf: () => 'a', words: 'the limit of an address' },
        { limiter: all[index], keyOf: () => 'a', words: 'the limit of all' },
      ];
      const app = express().use(limitRequests(turnsWithin(limits)), (_request, response) => void response.end());
      app.use(((_error, _request, response, _next) => response.status(429).end()) as express.ErrorRequestHandler);
      return listen(app, readSettings({ PORT: '0' }));
    };
    const [one, other] = await Promise.all([serve(0), serve(1)]);
    const statuses: number[] = [];
    // The second does not know what the first has used up, until it asks.
    for (const { url } of [one, one, one, other, other]) statuses.push((await fetch(url)).status);
    await Promise.all([one.close(), other.close()]);
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429]);
    expect(await left(addresses[0])).to.equal(10 - 3 - 1);
  });
});
