import { expect } from 'chai';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { ask, burst, type ReceivedAnswer, type RequestParts } from './requests.js';

const NAMES = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-limit-minute',
  'x-ratelimit-remaining-minute',
] as const;

const limitHeadersOf = ({ headers }: ReceivedAnswer) => NAMES.map((name) => headers[name]);

const BY_DEFAULT = {
  RATE_LIMIT_PER_HOUR: '',
  RATE_LIMIT_PER_MINUTE: '',
  CALLER_LIMIT_PER_MINUTE: '1',
  TRUSTED_PROXIES: 'loopback',
};
const BEHIND_PROXIES = {
  RATE_LIMIT_PER_HOUR: '9',
  RATE_LIMIT_PER_MINUTE: '0',
  TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
};

describe('the limits of /v1', () => {
  const started = new Map<string, Promise<DemoService>>();
  after(async () => {
    for (const demo of started.values()) await (await demo).close();
  });

  /**
   * Returns a function that sends requests to a service with these settings. Tests with the same settings share a service, so each test
   * uses different addresses.
   */
  const serve = async (environment: Readonly<Record<string, string>>) => {
    const key = JSON.stringify(environment);
    started.set(key, started.get(key) ?? startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS, ...environment }));
    const demo = (await started.get(key)) as DemoService;
    return { demo, get: (path: string, parts?: RequestParts) => ask(demo.service.url + path, parts) };
  };

  it('allow exactly 600 of 800 concurrent requests of one address by default', async () => {
    const { demo } = await serve(BY_DEFAULT);
    // This path needs no database query. With queries, a slow database would reject some of 600 concurrent requests.
    expect(await burst(`${demo.service.url}/v1/nothing`, 800)).to.deep.equal({ 404: 600, 429: 200 });
  });

  it('allow exactly the limit of all addresses per minute, and do not count rejected requests', async () => {
    const { demo, get } = await serve({
      RATE_LIMIT_PER_HOUR: '',
      RATE_LIMIT_PER_MINUTE: '100',
      TRUSTED_PROXIES: 'loopback',
    });
    const statuses = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        get('/v1/nothing', { headers: { 'X-Forwarded-For': `192.0.2.${index % 3}` } }),
      ),
    );
    const through = statuses.filter(({ status }) => status === 404);
    expect(through).to.have.length(100);
    const fresh = await get('/v1/nothing', { headers: { 'X-Forwarded-For': '192.0.2.77' } });
    expect([fresh.status, ...limitHeadersOf(fresh)]).to.deep.equal([429, '600', '600', '100', '0']);
    expect(fresh.result?.message).to.match(
      /^The request exceeds the limit of 100 requests per minute from all addresses together; retry in \d+ s\.$/,
    );
    expect(Number(fresh.headers['retry-after'])).to.be.within(1, 60);
    expect((await demo.get('/healthy/')).status).to.equal(200);
  });

  it('count pages, descriptions, tables and MCP messages together, ten times CALLER_LIMIT_PER_MINUTE, but no probes', async () => {
    const { get } = await serve(BY_DEFAULT);
    const statusOf = async (path: string, parts: RequestParts = {}, from = '192.0.2.1') =>
      (await get(path, { ...parts, headers: { ...parts.headers, 'X-Forwarded-For': from } })).status;
    const asHtml = { headers: { Accept: 'text/html' } };
    const counted: (readonly [path: string, parts?: RequestParts])[] = [
      ['/openapi.json'],
      ['/docs/json'],
      ['/docs'],
      ['/explorer/tags/'],
      ['/q/tables/'],
      ['/console/definitions/'],
      ['/collections/'],
      ['/'],
      ['/', asHtml],
      ['/playground', asHtml],
    ];
    const first: number[] = [];
    for (const one of counted) first.push(await statusOf(...one));
    expect(first).to.deep.equal(counted.map(() => 200));
    const then: number[] = [];
    for (const one of counted) then.push(await statusOf(...one));
    expect(then).to.deep.equal(counted.map(() => 429));
    expect(await statusOf('/mcp', { method: 'POST' })).to.equal(429);
    const probes = ['/livez', '/readyz', '/healthy/', '/assets/theme.js', '/v1/collections/'];
    expect(await Promise.all(probes.map((path) => statusOf(path)))).to.deep.equal(probes.map(() => 200));
    expect(await statusOf('/openapi.json', {}, '192.0.2.2'), 'another address').to.equal(200);
  });

  it('appear in every answer under /v1 and /q/{name} with any status, and in no other answer', async () => {
    const { demo, get } = await serve({ RATE_LIMIT_PER_HOUR: '11', RATE_LIMIT_PER_MINUTE: '100' });
    const answers: [number, ...unknown[]][] = [];
    const collect = async (path: string, parts?: RequestParts) => {
      const answer = await get(path, parts);
      answers.push([answer.status, ...limitHeadersOf(answer)]);
    };
    await collect('/v1/collections/');
    await collect('/v1/collections/', { method: 'HEAD' });
    await collect('/v1/collections/?nothing=1');
    await collect('/v1/nothing');
    await collect('/v1/collections/%E0%A4%A/repos/');
    await collect('/v1/collections/', { method: 'POST' });
    await collect('/q/list-collections');
    await collect('/q/list-collections?nothing=1');
    await collect('/q/nothing');
    await collect('/q/explain/list-collections/');
    await demo.database.close();
    await collect('/v1/collections/1/repos/');
    await collect('/v1/collections/');
    expect(answers).to.deep.equal(
      [200, 200, 400, 404, 400, 405, 200, 400, 404, 200, 503, 429].map((status, index) => [
        status,
        '11',
        String(Math.max(0, 10 - index)),
        '100',
        String(Math.max(89, 99 - index)),
      ]),
    );
    for (const path of ['/', '/healthy/', '/collections/', '/nowhere']) {
      expect(limitHeadersOf(await get(path)), path).to.deep.equal([undefined, undefined, undefined, undefined]);
    }
  });

  it('reject requests with an error in the envelope that contains the limit and the time to wait', async () => {
    const { get } = await serve({ RATE_LIMIT_PER_HOUR: '3' });
    const from = '127.0.0.10';
    for (let times = 0; times < 3; times += 1) await get('/v1/collections/', { from });
    const { status, headers, result } = await get('/v1/collections/', {
      from,
      headers: { 'X-Request-Id': 'too-many' },
    });
    const seconds = Number(headers['retry-after']);
    expect(seconds).to.be.within(3_000, 3_600);
    expect(status).to.equal(429);
    expect(result).to.include({
      code: 429,
      error: 'rate_limited',
      message: `The request exceeds the limit of 3 requests per hour from one address; retry in ${seconds} s.`,
      request_id: 'too-many',
      row_count: 0,
    });
  });

  it('apply also to queries by name and to plans', async () => {
    const { demo, get } = await serve({ RATE_LIMIT_PER_HOUR: '3' });
    const answers: [number, unknown, unknown][] = [];
    for (const path of [
      '/q/list-collections',
      '/v1/collections/',
      '/q/explain/list-collections',
      '/q/list-collections',
    ]) {
      const { status, headers, result } = await get(path);
      answers.push([status, headers['x-ratelimit-remaining'], result?.code]);
    }
    expect(answers).to.deep.equal([
      [200, '2', undefined],
      [200, '1', 200],
      [200, '0', undefined],
      [429, '0', undefined],
    ]);
    const response = await demo.get('/q/explain/list-collections/');
    expect(await response.json()).to.include({ status: 429, code: 'rate_limited' });
  });

  it('do not count requests over the hourly limit against the limit per minute', async () => {
    const { get } = await serve({ RATE_LIMIT_PER_HOUR: '1', RATE_LIMIT_PER_MINUTE: '3' });
    const answers: unknown[] = [];
    for (const from of ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']) {
      const { status, headers } = await get('/v1/collections/', { from });
      answers.push([status, headers['x-ratelimit-remaining'], headers['x-ratelimit-remaining-minute']]);
    }
    expect(answers).to.deep.equal([
      [200, '0', '2'],
      [429, '0', '2'],
      [429, '0', '2'],
      [200, '0', '1'],
      [200, '0', '0'],
      [429, '1', '0'],
    ]);
  });

  it('do not count preflight requests and other paths, and are readable by scripts', async () => {
    const { get } = await serve({ RATE_LIMIT_PER_HOUR: '3' });
    const from = '127.0.0.11';
    const preflight = {
      from,
      method: 'OPTIONS',
      headers: { Origin: 'http://a.example', 'Access-Control-Request-Method': 'GET' },
    };
    for (let times = 0; times < 4; times += 1) {
      expect((await get('/v1/collections/', preflight)).status).to.equal(204);
      expect((await get('/collections/', { from })).status).to.equal(200);
    }
    const { status, headers } = await get('/v1/collections/', { from, headers: { Origin: 'http://a.example' } });
    expect([status, headers['x-ratelimit-remaining']]).to.deep.equal([200, '2']);
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(',');
    expect(exposed).to.include.members(['retry-after', ...NAMES]);
  });

  it('are disabled, with their headers, by the value 0', async () => {
    const { get } = await serve({ RATE_LIMIT_PER_HOUR: '0', RATE_LIMIT_PER_MINUTE: '2' });
    expect(limitHeadersOf(await get('/v1/collections/'))).to.deep.equal([undefined, undefined, '2', '1']);
    const { get: getHourly } = await serve(BEHIND_PROXIES);
    const headers = { 'X-Forwarded-For': '192.0.2.99' };
    const hourly = limitHeadersOf(await getHourly('/v1/collections/', { headers }));
    expect(hourly).to.deep.equal(['9', '8', undefined, undefined]);
  });

  describe('identify a client by', () => {
    /** Sends a request with this `X-Forwarded-For`, and returns the number of requests that are left in this hour. */
    const leftOf = async (get: Awaited<ReturnType<typeof serve>>['get'], forwarded: string, from = '127.0.0.1') => {
      const { headers } = await get('/v1/nothing', { from, headers: { 'X-Forwarded-For': forwarded } });
      return Number(headers['x-ratelimit-remaining']);
    };

    it('its connection if no proxy is trusted', async () => {
      const { get } = await serve({ RATE_LIMIT_PER_HOUR: '3' });
      const [one, other] = ['127.0.0.12', '127.0.0.13'];
      expect([await leftOf(get, '192.0.2.1', one), await leftOf(get, '192.0.2.2', one)]).to.deep.equal([2, 1]);
      expect(await leftOf(get, '192.0.2.1', other)).to.equal(2);
    });

    it('the address that the trusted proxies report, and no earlier one', async () => {
      const { demo, get } = await serve(BEHIND_PROXIES);
      expect(await leftOf(get, '203.0.113.1')).to.equal(8);
      expect(await leftOf(get, '203.0.113.1, 10.1.2.3')).to.equal(7);
      expect(await leftOf(get, '198.51.100.9, 203.0.113.1'), 'spoofed').to.equal(6);
      expect(await leftOf(get, 'garbage, 203.0.113.1, 10.1.2.3'), 'spoofed').to.equal(5);
      expect(await leftOf(get, '203.0.113.2')).to.equal(8);
      expect(await leftOf(get, '203.0.113.1', '127.0.0.2'), 'not a proxy').to.equal(8);
      expect(await leftOf(get, '203.0.113.3', '127.0.0.2'), 'not a proxy').to.equal(7);
      const logged = demo.log.map(({ req }) => (req as { remoteAddress?: string } | undefined)?.remoteAddress);
      expect(logged).to.include.members(['203.0.113.1', '203.0.113.2', '127.0.0.2']);
    });

    it('the network of an IPv6 address, and the IPv4 address within one', async () => {
      const { get } = await serve(BEHIND_PROXIES);
      expect(await leftOf(get, '2001:db8:1:2:3:4:5:6')).to.equal(8);
      expect(await leftOf(get, '2001:DB8:0001:2::1')).to.equal(7);
      expect(await leftOf(get, '2001:db8:1:3::1')).to.equal(8);
      expect(await leftOf(get, '192.0.2.1')).to.equal(8);
      expect(await leftOf(get, '::ffff:192.0.2.1')).to.equal(7);
      expect(await leftOf(get, '0:0:0:0:0:FFFF:c000:201')).to.equal(6);
    });

    it('its connection if a trusted proxy reports something other than an address', async () => {
      const { get } = await serve(BEHIND_PROXIES);
      const garbage = [
        'unknown',
        '999.1.2.3',
        '<script>',
        `${'1.'.repeat(3_000)}1`,
        ',,,',
        '::ffff:1.2.3.4.5',
        '__proto__',
      ];
      const left: number[] = [];
      for (const forwarded of garbage) left.push(await leftOf(get, forwarded));
      expect(left).to.deep.equal([8, 7, 6, 5, 4, 3, 2]);
    });
  });
});
