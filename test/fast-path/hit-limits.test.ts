import { expect } from 'chai';
import { needRedis, type PrivateRedis, startRedis } from '../services/redis.js';
import {
  type DefinitionService,
  exchange,
  type RawResponse,
  request,
  startDefinitionService,
  warm,
} from './definition-service.js';

const TARGET = '/v1/collections/';
const POINTS = 60;
const LIMITS = { RATE_LIMIT_PER_HOUR: String(POINTS), RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXIES: 'loopback' };

describe('the limits of hits of the cache', () => {
  let service: DefinitionService;
  before(async () => {
    service = await startDefinitionService(LIMITS);
    await warm(service, TARGET);
  });
  after(() => service.close());

  /** Exceeds the rate limit of an address, and returns the parts of the responses about the limit. */
  const exceed = async (server: DefinitionService, address: string) => {
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
    return { facts, result };
  };

  /** Expects that an address gets as many answers as its limit allows, and that none of its requests reaches express. */
  const expectLimited = async (server: DefinitionService, address: string) => {
    const before = server.passed();
    const { facts, result } = await exceed(server, address);
    const allowed = Array.from({ length: POINTS }, (_, index) => [
      'HTTP/1.1 200 OK',
      '60',
      String(POINTS - 1 - index),
      false,
      'public, no-cache',
    ]);
    const rejected = ['HTTP/1.1 429 Too Many Requests', '60', '0', true, undefined];
    expect(facts).to.deep.equal([...allowed, rejected, rejected, rejected]);
    expect(result).to.deep.include({ code: 429, request_id: 'one' });
    expect(server.passed()).to.equal(before);
  };

  it('reject the requests that exceed them', async () => {
    await expectLimited(service, '192.0.2.1');
    await expectLimited(service, '192.0.2.2');
  });

  it('count each /64 network of IPv6 as one address, and failures too', async () => {
    const remaining = async (server: DefinitionService, address: string, target = TARGET) =>
      (await exchange(server, request('GET', target, [`X-Forwarded-For: ${address}`]))).volatile[
        'x-ratelimit-remaining'
      ];
    expect([
      await remaining(service, '2001:db8::1'),
      await remaining(service, '2001:db8::2', '/v1/nothing'),
      await remaining(service, '2001:db8::3', '/q/nothing'),
      await remaining(service, '2001:db8:0:1::1'),
      await remaining(service, '2001:db8::4'),
    ]).to.deep.equal(['59', '58', '57', '59', '56']);
  });

  describe('in Redis', () => {
    needRedis();
    let redis: PrivateRedis | undefined;
    let limited: DefinitionService | undefined;
    before(async () => {
      redis = await startRedis();
    });
    after(async () => {
      await limited?.close();
      await redis?.remove();
    });

    it('reject the requests that exceed them', async () => {
      limited = await startDefinitionService({ ...LIMITS, REDIS_URL: `redis://127.0.0.1:${redis?.port}/3` });
      await warm(limited, TARGET);
      await expectLimited(limited, '192.0.2.1');
    });
  });
});
