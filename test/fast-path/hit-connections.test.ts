import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { TargetRequest } from '../../engine/http/cache/answer-cache.js';
import type { ServedAnswer } from '../../engine/http/cache/stored-answer.js';
import type { EndedRequest } from '../../engine/http/request-record.js';
import { listen } from '../../server/listening/listen.js';
import { observeRequests } from '../../server/requests/observe-requests.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { rawRequest } from '../service/raw-request.js';
import { eventually } from '../services/eventually.js';
import { answerWith } from './answer-with.js';
import {
  type DefinitionService,
  exchange,
  exchangeKept,
  parse,
  request,
  startDefinitionService,
  warm,
} from './definition-service.js';
import { servedAnswer } from './served-answer.js';

const TARGET = '/v1/collections/';
const SECRET = `ghp_${'a'.repeat(36)}`;

describe('connections and log lines of hits of the cache', () => {
  let service: DefinitionService;
  before(async () => {
    service = await startDefinitionService({ TRUSTED_PROXIES: 'loopback' });
  });
  after(() => service.close());

  it('have the same log lines whether a record follows them or not', async () => {
    const { url, log } = service;
    const target = `${TARGET}?`;
    await warm(service, target);
    const { etag = '' } = (await exchange(service, request('GET', target))).headers;
    const requests = [
      request('GET', target, ['X-Request-Id: log-1']),
      request('HEAD', target, ['X-Request-Id: log-2']),
      request('GET', target, ['X-Request-Id: log-3', `If-None-Match: ${etag}`]),
      request('GET', target, ['X-Request-Id: log-4', 'X-Forwarded-For: 2001:db8::7']),
      request('GET', target, ['X-Request-Id: log-5', `X-Forwarded-For: "${SECRET}"\\`]),
      request('GET', target, [`X-Request-Id: log-6.${SECRET}`]),
    ];
    const logged = () => log().filter(({ req }) => /^log-\d/.test((req as { id?: string } | undefined)?.id ?? ''));
    const linesOf = async (send: typeof exchange) => {
      const known = logged().length;
      for (const lines of requests) await send({ url }, lines);
      // The log is written a moment after the answers are sent.
      await eventually(() => logged().length >= known + requests.length);
      return logged()
        .slice(known)
        .map(({ time, responseTime, bytes, ...line }) =>
          JSON.stringify({ ...line, types: [typeof time, typeof responseTime, Number(bytes) > 0] }),
        );
    };
    const expected = await linesOf(exchange);
    expect(await linesOf(exchangeKept)).to.deep.equal(expected);
    expect(expected.join('\n')).to.include('log-6.…').and.not.include(SECRET);
  });

  it('are kept alive, and answer pipelined requests in their order', async () => {
    await warm(service, TARGET);
    const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const bytes = [get(TARGET), get('/v1/nothing'), get(TARGET), get(TARGET, 'Connection: close\r\n')].join('');
    const parts = (await rawRequest(service.url, bytes)).split(/(?=HTTP\/1\.1 \d+ )/).map(parse);
    const kept = parts[0]?.headers['keep-alive'];
    expect(kept).to.match(/^timeout=\d+$/);
    expect(
      parts.map(({ statusLine, headers }) => [statusLine, headers.connection, headers['keep-alive']]),
    ).to.deep.equal([
      ['HTTP/1.1 200 OK', 'keep-alive', kept],
      ['HTTP/1.1 404 Not Found', 'keep-alive', kept],
      ['HTTP/1.1 200 OK', 'keep-alive', kept],
      ['HTTP/1.1 200 OK', 'close', undefined],
    ]);
  });

  it('are counted when the system has taken the answer, also for pipelined requests and a client that reads nothing', async () => {
    const ended: EndedRequest[] = [];
    const onEnd = (request: EndedRequest) => void ended.push(request);
    const requests = observeRequests({ onBegin: () => {}, onEnd, onSent: onEnd, traceIdOf: () => undefined });
    const settings = readSettings({ PORT: '0', SHUTDOWN_TIMEOUT_MS: '0' });
    let answer = servedAnswer('{}');
    const parts = { ...cacheOf(() => answer), requests };
    const { url, close } = await listen(answerWith(parts), settings);
    const get = (id: number) => `GET ${TARGET}?${id} HTTP/1.1\r\nHost: x\r\nX-Request-Id: id-${id}\r\n\r\n`;
    // On the first hit of a connection, the headers that Node writes are recorded; for later hits, they are written in the same way.
    const received = await rawRequest(url, `${[0, 1, 2].map(get).join('')}GET / HTTP/1.0\r\n\r\n`);
    await eventually(() => ended.length === 3);
    expect(ended.map(({ id, target, status, isAborted }) => [id, target, status, isAborted])).to.deep.equal(
      [0, 1, 2].map((id) => [`id-${id}`, `${TARGET}?${id}`, 200, false]),
    );
    const hits = received.split(/(?=HTTP\/1\.1 \d+ )/).slice(0, 3);
    expect(ended.map(({ bytes }) => bytes)).to.deep.equal(hits.map(({ length }) => length));

    answer = servedAnswer('x'.repeat(20_000_000));
    const silent = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    silent.write(get(3));
    await once(silent, 'readable');
    expect(ended.length).to.equal(3);
    silent.destroy();
    await eventually(() => ended.length === 4);
    expect([ended[3]?.id, ended[3]?.cache, ended[3]?.isIdSent]).to.deep.equal(['id-3', 'memory', true]);
    expect([ended[3]?.status, ended[3]?.sentStatus, ended[3]?.isAborted]).to.deep.equal([499, 200, true]);
    await close();
  });

  it('close after a request that arrives while the server stops', async () => {
    let finish: (() => void) | undefined;
    const others: RequestListener = (_request, response) => {
      finish = () => void response.end('slow');
    };
    const settings = readSettings({ PORT: '0' });
    const { url, close } = await listen(answerWith({ ...cacheOf(() => servedAnswer('{}')), others }), settings);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    const received = text(socket);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => finish !== undefined);
    const closed = close();
    socket.write(`GET ${TARGET} HTTP/1.1\r\nHost: x\r\n\r\n`);
    finish?.();
    const [slow, hit] = (await received).split(/(?=HTTP\/1\.1 \d+ )/).map(parse);
    await closed;
    expect([slow?.body, hit?.headers.etag, hit?.headers.connection]).to.deep.equal(['slow', '"hash"', 'close']);
  });

  it('are errors, and not the end of the process, if their route cannot be found', async () => {
    const settings = readSettings({ PORT: '0' });
    const reasons: string[] = [];
    const report = (error: unknown) => void reasons.push((error as Error).message);
    const findDefinition = () => {
      throw new Error('out of order');
    };
    const { cache, requests } = cacheOf(() => servedAnswer('{}'));
    const server = await listen(
      answerWith({ cache: { ...cache, find: () => undefined }, requests, findDefinition, report }),
      settings,
    );
    const { statusLine, body } = await exchange(server, request('GET', TARGET));
    await server.close();
    expect([statusLine, body.includes('internal_error'), reasons]).to.deep.equal([
      'HTTP/1.1 500 Internal Server Error',
      true,
      ['out of order'],
    ]);
  });

  it('are computed if the memory of the cache fails, and errors if they cannot be sent', async () => {
    const settings = readSettings({ PORT: '0' });
    const reasons: string[] = [];
    const report = (error: unknown) => void reasons.push((error as Error).message);
    const fail = () => {
      throw new Error('out of order');
    };
    // A header must not contain a line break.
    const invalid = () => servedAnswer('{}', undefined, { version: '1\n2' });
    const wanted = { endpoint: servedAnswer('{}').answer.endpoint } as TargetRequest;
    const findDefinition = () => ({ operation: 'asked', read: () => wanted });
    const answers: unknown[] = [];
    for (const find of [fail, invalid]) {
      const parts = cacheOf(find);
      const cache = { ...parts.cache, serve: async () => servedAnswer('{"computed":1}') };
      const server = await listen(answerWith({ ...parts, cache, findDefinition, report }), settings);
      const { statusLine, body } = await exchange(server, request('GET', TARGET));
      answers.push([statusLine, body.includes('"computed":1'), body.includes('internal_error')]);
      await server.close();
    }
    expect(answers).to.deep.equal([
      ['HTTP/1.1 200 OK', true, false],
      ['HTTP/1.1 500 Internal Server Error', false, true],
    ]);
    expect(reasons).to.deep.equal(['out of order']);
  });
});

/** Returns a cache that finds answers with `find` and computes none. */
function cacheOf(find: () => ServedAnswer) {
  const serve = () => Promise.reject(new Error('nothing is computed'));
  const cache = { find: () => ({ ...find(), key: TARGET }), findShared: async () => undefined, use: () => {}, serve };
  const ignore = () => {};
  const requests = observeRequests({ onBegin: ignore, onEnd: ignore, onSent: ignore, traceIdOf: () => undefined });
  return { cache, requests };
}
