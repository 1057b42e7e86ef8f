import { expect } from 'chai';
import { needRedis, type PrivateRedis, startRedis } from '../services/redis.js';
import { exchange, type RawResponse, request, startTwoWays, type TwoWays, warm } from './two-ways.js';

const TARGET = '/v1/collections/';
const POINTS = 60;
const LIMITS = { RATE_LIMIT_PER_HOUR: String(POINTS), RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXIES: 'loopback' };

describe('the limits of hits of the cache', () => {
  let ways: TwoWays | undefined;
  afterEach(async () => {
    await ways?.close();
    ways = undefined;
  });

  /** Exceeds the limit of an address, and returns what the responses say about the limit. */
  const exceed = async (server: TwoWays['direct'], address: string) => {
    const facts: unknown[] = [];
    let last: RawResponse | undefined;
    for (let count = 0; count < POINTS + 3; count += 1) {
      last = await exchange(server, request('GET', TARGET, [`X-Forwarded-For: ${address}`, 'X-Request-Id: one']));
      const { statusLine, headers, volatile } = last;
      facts.push([
        statusLine,
        headers['x-ratelimit-limit'],
        volatile['x-ratelimit-remaining'],
        headers['retry-after'] !== undefined,
        headers['cache-control'],
      ]);
    }
    const { result } = (JSON.parse(last?.body ?? '') as { data: { result: object } }).data;
    return {
      facts,
      result: { ...result, message: '', start_ms: 0, end_ms: 0 },
      keys: Object.keys(last?.headers ?? {}),
    };
  };

  it('reject the requests that express rejects, with the same responses', async () => {
    ways = await startTwoWays(LIMITS);
    await warm(ways, TARGET);
    const expected = await exceed(ways.express, '192.0.2.1');
    const before = ways.passed();
    expect(await exceed(ways.direct, '192.0.2.2')).to.deep.equal(expected);
    expect(ways.passed() - before).to.equal(3);
    const [first, last] = [expected.facts[0], expected.facts[POINTS]];
    expect([first, last]).to.deep.equal([
      ['HTTP/1.1 200 OK', '60', '59', false, 'public, no-cache'],
      ['HTTP/1.1 429 Too Many Requests', '60', '0', true, undefined],
    ]);
  });

  it('count one address once for both ways, and each /64 network of IPv6 as one address', async () => {
    ways = await startTwoWays(LIMITS);
    await warm(ways, TARGET);
    const remaining = async (server: TwoWays['direct'], address: string) =>
      (await exchange(server, request('GET', TARGET, [`X-Forwarded-For: ${address}`]))).volatile[
        'x-ratelimit-remaining'
      ];
    expect([
      await remaining(ways.direct, '2001:db8::1'),
      await remaining(ways.express, '2001:db8::2'),
      await remaining(ways.direct, '2001:db8::3'),
      await remaining(ways.direct, '2001:db8:0:1::1'),
      await remaining(ways.direct, '2001:db8::4'),
    ]).to.deep.equal(['59', '58', '57', '59', '56']);
  });

  describe('in Redis', () => {
    needRedis();
    let redis: PrivateRedis | undefined;
    before(async () => {
      redis = await startRedis();
    });
    after(() => redis?.remove());

    it('reject the requests that express rejects', async () => {
      ways = await startTwoWays({ ...LIMITS, REDIS_URL: `redis://127.0.0.1:${redis?.port}/3` });
      await warm(ways, TARGET);
      const expected = await exceed(ways.express, '192.0.2.1');
      const before = ways.passed();
      expect(await exceed(ways.direct, '192.0.2.2')).to.deep.equal(expected);
      expect(ways.passed() - before).to.equal(3);
    });
  });
});
