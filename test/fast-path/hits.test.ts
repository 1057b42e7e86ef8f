import { expect } from 'chai';
import {
  type DefinitionService,
  exchange,
  exchangeKept,
  type RawResponse,
  request,
  startDefinitionService,
  warm,
} from './definition-service.js';

const SMALL = '/v1/collections/';
const LARGE = '/q/collection-repo-ranking-by-stars?collection_id=1';

/** Headers of requests that can be answered from the cache. */
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

const partOf = (part: number) => HITS.filter((_, index) => index % 3 === part);

/** Requests that can be answered from the cache: one method and target with all headers, the others with a third of them each. */
const REQUESTS = [
  ['GET', LARGE, HITS],
  ['HEAD', LARGE, partOf(0)],
  ['GET', SMALL, partOf(1)],
  ['HEAD', SMALL, partOf(2)],
] as const;

/** Headers of requests with a body or for another protocol. */
const UNUSUAL: readonly (readonly string[])[] = [
  ['Content-Length: 0'],
  ['Transfer-Encoding: chunked', '', '0'],
  ['Expect: 100-continue', 'Content-Length: 0'],
  ['Connection: upgrade, close', 'Upgrade: websocket'],
];

const HASH_AND_LENGTH = /(?<="etag":"[^-]*")[\w-]{22}|(?<="content-length":")\d+/g;

describe('hits of the cache', () => {
  const opened = new Map<string, Promise<DefinitionService>>();
  after(async () => {
    for (const service of opened.values()) await (await service).close();
  });

  /** Starts an application. Tests with the same settings share an application. */
  const start = (environment: Readonly<Record<string, string>> = {}) => {
    const key = JSON.stringify(environment);
    const service = opened.get(key) ?? startDefinitionService({ RATE_LIMIT_PER_HOUR: '1000000', ...environment });
    opened.set(key, service);
    return service;
  };
  const stable = ({ statusLine, headers, body }: RawResponse) => ({ statusLine, headers, body });

  for (const environment of [
    { TRUSTED_PROXIES: 'loopback' },
    { CORS_ORIGIN: 'https://a.example', RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_HOUR: '0' },
  ]) {
    it(`have equal responses with kept heads and with heads of Node, with ${Object.keys(environment).join(', ')}`, async () => {
      const service = await start(environment);
      await warm(service, SMALL);
      await warm(service, LARGE);
      const before = service.passed();
      for (const [method, target, headers] of REQUESTS) {
        for (const more of headers) {
          const lines = request(method, target, more);
          const [expected, actual] = [await exchange(service, lines), await exchangeKept(service, lines)];
          const name = [method, target, ...more].join(' ');
          expect([name, stable(actual)]).to.deep.equal([name, stable(expected)]);
          expect(Object.keys(actual.volatile)).to.deep.equal(Object.keys(expected.volatile));
          expect(actual.volatile['cache-status']).to.equal('repo-insight; hit; detail=memory');
        }
      }
      expect(service.passed()).to.equal(before);
    });
  }

  for (const [what, environment] of [
    ['hits', {}],
    ['misses', { CACHE_MEMORY: '0' }],
  ] as const) {
    it(`have the same headers for HEAD as for GET, as ${what}`, async () => {
      const service = await start(environment);
      if (what === 'hits') await warm(service, LARGE);
      // The ETag and the length differ between misses, because the answer contains the time of the query.
      const headersOf = ({ headers: { 'transfer-encoding': _, ...headers } }: RawResponse) =>
        what === 'hits' ? JSON.stringify(headers) : JSON.stringify(headers).replace(HASH_AND_LENGTH, '');
      const encodings = HITS.filter(([header = '']) => header.startsWith('Accept-Encoding'));
      // Each miss runs a query, so misses only use every second encoding.
      for (const more of encodings.filter((_, index) => what === 'hits' || index % 2 === 0)) {
        const get = await exchange(service, request('GET', LARGE, more));
        const head = await exchange(service, request('HEAD', LARGE, more));
        expect([more, headersOf(head)]).to.deep.equal([more, headersOf(get)]);
      }
    });
  }

  it('are not compressed for each request: without a stored encoding they are sent without compression', async () => {
    const service = await start();
    await warm(service, LARGE);
    const encodingOf = async (accept: string) => {
      const { headers } = await exchange(service, request('GET', LARGE, [`Accept-Encoding: ${accept}`]));
      return headers['content-encoding'];
    };
    expect(await encodingOf('deflate')).to.equal(undefined);
    expect(await encodingOf('deflate, gzip;q=0.1')).to.equal('gzip');
    // The client accepts no other encoding.
    expect(await encodingOf('deflate, identity;q=0')).to.equal('deflate');
    expect(await encodingOf('deflate, *;q=0')).to.equal('deflate');
  });

  it('answer 304 for each encoding', async () => {
    const service = await start();
    await warm(service, LARGE);
    const forms = {
      identity: /^"[\w-]+"$/,
      gzip: /^".+-gzip"$/,
      br: /^".+-br"$/,
      'deflate, *;q=0': /^W\/".+-deflate"$/,
    };
    for (const [encoding, form] of Object.entries(forms)) {
      const accept = `Accept-Encoding: ${encoding}`;
      const { etag = '' } = (await exchange(service, request('GET', LARGE, [accept]))).headers;
      expect(etag).to.match(form);
      for (const tags of [etag, `W/${etag.replace('W/', '')}`, `"a", ${etag} , "b"`]) {
        for (const method of ['GET', 'HEAD']) {
          const lines = request(method, LARGE, [accept, `If-None-Match: ${tags}`]);
          const [expected, actual] = [await exchange(service, lines), await exchangeKept(service, lines)];
          expect(stable(actual)).to.deep.equal(stable(expected));
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

  it('are the answers to unusual requests too', async () => {
    const service = await start();
    await warm(service, SMALL);
    const expected = await exchange(service, request('GET', SMALL));
    const before = service.passed();
    for (const lines of [
      ...UNUSUAL.map((more) => request('GET', SMALL, more)),
      request('GET', `http://localhost${SMALL}`),
      request('GET', SMALL.replace('v', '%76')),
      request('GET', `${SMALL}#part`),
    ]) {
      const actual = await exchange(service, lines);
      expect([lines[0], stable(actual)]).to.deep.equal([lines[0], stable(expected)]);
    }
    expect(service.passed()).to.equal(before);
  });

  it('need a method, parameters and a path of a definition', async () => {
    const service = await start();
    await warm(service, SMALL);
    const tooLarge = ['Content-Length: 200000', 'Expect: 100-continue'];
    for (const [lines, status, isPassed] of [
      [request('POST', SMALL), 405, false],
      [request('GET', SMALL, tooLarge), 413, false],
      [request('GET', `${SMALL}?nothing=1`), 400, false],
      [request('GET', '/v1/nothing'), 404, false],
      [request('GET', '/v1'), 404, false],
      [request('POST', '/q/list-collections'), 405, false],
      [request('GET', '/q/nothing'), 404, false],
      [request('GET', `/q/${'x'.repeat(101)}`), 400, false],
      [request('GET', '/q/%E0%A4'), 400, false],
      [request('OPTIONS', SMALL), 204, true],
      [request('GET', '/v1x/'), 404, true],
      [request('GET', '/q/tables/'), 200, true],
      [request('GET', '/healthy/'), 200, true],
    ] as const) {
      const before = service.passed();
      const { statusLine } = await exchange(service, lines);
      const actual = [lines[0], Number(statusLine.split(' ')[1]), service.passed() > before];
      expect(actual).to.deep.equal([lines[0], status, isPassed]);
    }
  });

  it('are rejected with invalid hosts, and accepted without a host in HTTP/1.0', async () => {
    const service = await start();
    await warm(service, SMALL);
    for (const [lines, status] of [
      [[`GET ${SMALL} HTTP/1.1`, 'Connection: close'], 400],
      [[`GET ${SMALL} HTTP/1.1`, 'Host: a b', 'Connection: close'], 400],
      [[...request('GET', SMALL), 'host: other'], 400],
      [[`GET ${SMALL} HTTP/1.0`], 200],
      [[`GET ${SMALL} HTTP/1.0`, 'Connection: close', 'Host: [::1]:80'], 200],
    ] as const) {
      const { statusLine } = await exchange(service, lines);
      expect([...lines, Number(statusLine.split(' ')[1])]).to.deep.equal([...lines, status]);
    }
  });

  it('have the encoding that the middleware for compression chooses', async () => {
    const service = await start();
    await warm(service, LARGE);
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
      const hit = await exchange(service, request('GET', LARGE, more));
      const other = await exchange(service, request('GET', '/openapi.json', more));
      const encodingOf = ({ headers }: RawResponse) => [...more, headers['content-encoding']];
      expect(encodingOf(hit)).to.deep.equal(encodingOf(other));
    }
  });
});
