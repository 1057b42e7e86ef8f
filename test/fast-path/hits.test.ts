import { expect } from 'chai';
import { exchange, type RawResponse, request, startTwoWays, type TwoWays, warm } from './two-ways.js';

const SMALL = '/v1/collections/';
const LARGE = '/q/collection-repo-ranking-by-stars?collection_id=1';
const TARGETS = [SMALL, LARGE];

/** The headers of requests that are answered from the cache. */
const HITS: readonly (readonly string[])[] = [
  [],
  ['Accept-Encoding: gzip'],
  ['Accept-Encoding: br'],
  ['Accept-Encoding: gzip, deflate, br'],
  ['Accept-Encoding: br;q=0.5, gzip;q=0.9'],
  ['Accept-Encoding: deflate'],
  ['Accept-Encoding: deflate, identity;q=0'],
  ['Accept-Encoding: deflate, *;q=0'],
  ['Accept-Encoding: identity;q=0'],
  ['Accept-Encoding: *'],
  ['Accept-Encoding: gzip;q=0'],
  ['Accept-Encoding: x;y;z,,;q'],
  ['Accept-Encoding: gzip', 'Accept-Encoding: br'],
  ['If-None-Match: *'],
  ['If-None-Match: "other"'],
  ['If-None-Match: other, "'],
  ['If-Modified-Since: Wed, 01 Jan 2031 00:00:00 GMT'],
  ['If-Match: "other"'],
  ['Range: bytes=0-9'],
  ['Cache-Control: max-age=0'],
  ['Cache-Control: no-cache'],
  ['Pragma: no-cache'],
  ['Cache-Control: x-no-cache', 'Pragma: no-cache'],
  ['Origin: https://a.example'],
  ['X-Request-Id: mine-1'],
  ['X-Request-Id: not an id'],
  [`X-Request-Id: ghp_${'a'.repeat(36)}`],
  ['X-Forwarded-For: 192.0.2.7'],
  ['X-Forwarded-For: nonsense, 192.0.2.8:99'],
  ['X-Forwarded-For: 192.0.2.9, 127.0.0.1'],
  ['Accept: text/html'],
];

/** The headers of requests that only express answers. */
const OTHERS: readonly (readonly string[])[] = [
  ['Content-Length: 0'],
  ['Transfer-Encoding: chunked', '', '0'],
  ['Expect: 100-continue', 'Content-Length: 0'],
  ['Connection: upgrade, close', 'Upgrade: websocket'],
];

const HASH_AND_LENGTH = /(?<="etag":"[^-]*")[\w-]{22}|(?<="content-length":")\d+/g;

describe('hits of the cache that bypass express', () => {
  const opened = new Map<string, Promise<TwoWays>>();
  after(async () => {
    for (const ways of opened.values()) await (await ways).close();
  });

  /** Tests with the same settings share an application. */
  const start = (environment: Readonly<Record<string, string>> = {}) => {
    const key = JSON.stringify(environment);
    const ways = opened.get(key) ?? startTwoWays({ RATE_LIMIT_PER_HOUR: '1000000', ...environment });
    opened.set(key, ways);
    return ways;
  };
  /** Sends a request both ways, and returns the two responses and whether express answered the second one. */
  const compare = async (two: TwoWays, lines: readonly string[]) => {
    const expected = await exchange(two.express, lines);
    const before = two.passed();
    const actual = await exchange(two.direct, lines);
    return { expected, actual, isDirect: two.passed() === before };
  };
  const stable = ({ statusLine, headers, body }: RawResponse) => ({ statusLine, headers, body });

  for (const environment of [
    { TRUSTED_PROXIES: 'loopback' },
    { CORS_ORIGIN: 'https://a.example', RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_HOUR: '0' },
  ]) {
    it(`have the responses of express with ${Object.keys(environment).join(', ')}`, async () => {
      const two = await start(environment);
      for (const target of TARGETS) {
        await warm(two, target);
        for (const method of ['GET', 'HEAD']) {
          for (const more of HITS) {
            const { expected, actual, isDirect } = await compare(two, request(method, target, more));
            const name = [method, target, ...more].join(' ');
            expect([name, isDirect, stable(actual)]).to.deep.equal([name, true, stable(expected)]);
            expect(Object.keys(actual.volatile)).to.deep.equal(Object.keys(expected.volatile));
          }
        }
      }
    });
  }

  for (const [what, environment] of [
    ['hits', {}],
    ['misses', { CACHE_MEMORY: '0' }],
  ] as const) {
    it(`have the same headers for HEAD as for GET, as ${what}`, async () => {
      const two = await start(environment);
      if (what === 'hits') await warm(two, LARGE);
      // Each miss has another hash, and the length of another query time.
      const headersOf = ({ headers: { 'transfer-encoding': _, ...headers } }: RawResponse) =>
        what === 'hits' ? JSON.stringify(headers) : JSON.stringify(headers).replace(HASH_AND_LENGTH, '');
      const encodings = HITS.filter(([header = '']) => header.startsWith('Accept-Encoding'));
      for (const more of encodings) {
        const get = await exchange(two.direct, request('GET', LARGE, more));
        const head = await exchange(two.direct, request('HEAD', LARGE, more));
        expect([more, headersOf(head)]).to.deep.equal([more, headersOf(get)]);
      }
    });
  }

  it('are not compressed for each request: without a stored encoding they are sent without compression', async () => {
    const two = await start();
    await warm(two, LARGE);
    const encodingOf = async (accept: string) => {
      const { headers } = await exchange(two.direct, request('GET', LARGE, [`Accept-Encoding: ${accept}`]));
      return headers['content-encoding'];
    };
    expect(await encodingOf('deflate')).to.equal(undefined);
    expect(await encodingOf('deflate, gzip;q=0.1')).to.equal('gzip');
    // The client accepts nothing else.
    expect(await encodingOf('deflate, identity;q=0')).to.equal('deflate');
    expect(await encodingOf('deflate, *;q=0')).to.equal('deflate');
  });

  it('answer 304 for each encoding, with the headers of express', async () => {
    const two = await start();
    await warm(two, LARGE);
    const forms = {
      identity: /^"[\w-]+"$/,
      gzip: /^".+-gzip"$/,
      br: /^".+-br"$/,
      'deflate, *;q=0': /^W\/".+-deflate"$/,
    };
    for (const [encoding, form] of Object.entries(forms)) {
      const accept = `Accept-Encoding: ${encoding}`;
      const { etag = '' } = (await exchange(two.direct, request('GET', LARGE, [accept]))).headers;
      expect(etag).to.match(form);
      for (const tags of [etag, `W/${etag.replace('W/', '')}`, `"a", ${etag} , "b"`]) {
        for (const method of ['GET', 'HEAD']) {
          const lines = request(method, LARGE, [accept, `If-None-Match: ${tags}`]);
          const { expected, actual, isDirect } = await compare(two, lines);
          expect([isDirect, stable(actual)]).to.deep.equal([true, stable(expected)]);
          expect([actual.statusLine, actual.body, actual.headers['content-length']]).to.deep.equal([
            'HTTP/1.1 304 Not Modified',
            '',
            undefined,
          ]);
          expect(actual.headers).to.include({
            etag,
            vary: 'Accept, Accept-Encoding',
            'cache-control': 'public, no-cache',
          });
        }
      }
    }
  });

  it('are left to express if the request is unusual', async () => {
    const two = await start();
    await warm(two, SMALL);
    const unusual = [
      ...OTHERS.map((more) => request('GET', SMALL, more)),
      request('POST', SMALL),
      request('OPTIONS', SMALL),
      request('GET', `http://localhost${SMALL}`),
      request('GET', `${SMALL}?nothing=1`),
      request('GET', '/v1/nothing'),
      request('GET', '/v1'),
      request('GET', '/healthy/'),
    ];
    for (const lines of unusual) {
      const { expected, actual, isDirect } = await compare(two, lines);
      const withoutTimes = ({ statusLine, headers }: RawResponse) => [lines[0], statusLine, Object.keys(headers)];
      expect([isDirect, ...withoutTimes(actual)]).to.deep.equal([false, ...withoutTimes(expected)]);
    }
  });

  it('are rejected with invalid hosts, and accepted without a host in HTTP/1.0', async () => {
    const two = await start();
    await warm(two, SMALL);
    for (const [lines, isHit] of [
      [[`GET ${SMALL} HTTP/1.1`, 'Connection: close'], false],
      [[`GET ${SMALL} HTTP/1.1`, 'Host: a b', 'Connection: close'], false],
      [[...request('GET', SMALL), 'host: other'], false],
      [[`GET ${SMALL} HTTP/1.0`], true],
      [[`GET ${SMALL} HTTP/1.0`, 'Connection: keep-alive', 'Host: [::1]:80'], true],
    ] as const) {
      const { expected, actual } = await compare(two, lines);
      const facts = ({ statusLine, headers }: RawResponse) => [statusLine, headers];
      expect([actual.statusLine.includes('200'), ...facts(actual)]).to.deep.equal([isHit, ...facts(expected)]);
    }
  });

  it('have the encoding that the middleware for compression chooses', async () => {
    const two = await start();
    await warm(two, LARGE);
    const encodings = HITS.filter(([header = '']) => header.startsWith('Accept-Encoding'));
    for (const more of [
      ...encodings.filter(([header]) => header !== 'Accept-Encoding: deflate'),
      ['Accept-Encoding: gzip;q=0.2, *;q=0.1'],
      ['Accept-Encoding: identity, gzip;q=0.5'],
      ['Accept-Encoding: *;q=0, br'],
      ['Accept-Encoding: GZIP;q=1;level=3'],
      ['Accept-Encoding: gzip;q=nothing, br;q=0.001'],
      ['Accept-Encoding: identity, deflate'],
      ['Accept-Encoding: *;q=0.5, identity;q=0.7'],
      ['Accept-Encoding:'],
    ]) {
      const hit = await exchange(two.direct, request('GET', LARGE, more));
      const other = await exchange(two.direct, request('GET', '/openapi.json', more));
      const encodingOf = ({ headers }: RawResponse) => [...more, headers['content-encoding']];
      expect(encodingOf(hit)).to.deep.equal(encodingOf(other));
    }
  });
});
