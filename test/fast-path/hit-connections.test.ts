import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import express, { type ErrorRequestHandler } from 'express';
import { pino } from 'pino';
import type { ServedAnswer } from '../../http/cache/stored-answer.js';
import type { EndedRequest } from '../../http/records/request-record.js';
import { composeDirect } from '../../server/direct/compose-direct.js';
import { throwFailure } from '../../server/direct/failed-requests.js';
import { listen } from '../../server/listening/listen.js';
import { observeRequests } from '../../server/requests/observe-requests.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { rawRequest } from '../service/raw-request.js';
import { eventually } from '../services/eventually.js';
import { servedAnswer } from './served-answer.js';
import { exchange, parse, request, startTwoWays, type TwoWays, warm } from './two-ways.js';

const TARGET = '/v1/collections/';
const SECRET = `ghp_${'a'.repeat(36)}`;

describe('connections and log lines of hits of the cache', () => {
  let ways: TwoWays | undefined;
  afterEach(async () => {
    await ways?.close();
    ways = undefined;
  });

  it('have the log lines of express', async () => {
    ways = await startTwoWays({ TRUSTED_PROXIES: 'loopback' });
    const two = ways;
    const target = `${TARGET}?`;
    await warm(two, target);
    const { etag = '' } = (await exchange(two.express, request('GET', target))).headers;
    const requests = [
      request('GET', target, ['X-Request-Id: log-1']),
      request('HEAD', target, ['X-Request-Id: log-2']),
      request('GET', target, ['X-Request-Id: log-3', `If-None-Match: ${etag}`]),
      request('GET', target, ['X-Request-Id: log-4', 'X-Forwarded-For: 2001:db8::7']),
      request('GET', target, ['X-Request-Id: log-5', `X-Forwarded-For: "${SECRET}"\\`]),
      request('GET', target, [`X-Request-Id: log-6.${SECRET}`]),
    ];
    const logged = () => two.log().filter(({ req }) => /^log-\d/.test((req as { id?: string } | undefined)?.id ?? ''));
    const linesOf = async (server: TwoWays['direct']) => {
      const known = logged().length;
      for (const lines of requests) await exchange(server, lines);
      // The log is written a moment after the answers.
      await eventually(() => logged().length >= known + requests.length);
      return logged()
        .slice(known)
        .map(({ time, responseTime, bytes, ...line }) =>
          JSON.stringify({ ...line, types: [typeof time, typeof responseTime, Number(bytes) > 0] }),
        );
    };
    const expected = await linesOf(two.express);
    const before = two.passed();
    expect(await linesOf(two.direct)).to.deep.equal(expected);
    expect(two.passed()).to.equal(before);
    expect(expected.join('\n')).to.include('log-6.…').and.not.include(SECRET);
  });

  it('are kept alive, and answer pipelined requests in their order', async () => {
    ways = await startTwoWays();
    await warm(ways, TARGET);
    const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const bytes = [get(TARGET), get('/v1/nothing'), get(TARGET), get(TARGET, 'Connection: close\r\n')].join('');
    const responses = async (url: string) => {
      const parts = (await rawRequest(url, bytes)).split(/(?=HTTP\/1\.1 \d+ )/).map(parse);
      return parts.map(({ statusLine, headers }) => [statusLine, headers.connection, headers['keep-alive']]);
    };
    const expected = await responses(ways.express.url);
    expect(await responses(ways.direct.url)).to.deep.equal(expected);
    expect(expected.map(([statusLine]) => statusLine)).to.deep.equal([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 404 Not Found',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
    ]);
  });

  it('are counted when the system has taken the answer, also for pipelined requests and a client that reads nothing', async () => {
    const ended: EndedRequest[] = [];
    const onEnd = (request: EndedRequest) => void ended.push(request);
    const requests = observeRequests({ onBegin: () => {}, onEnd, onSent: onEnd, traceIdOf: () => undefined });
    const settings = readSettings({ PORT: '0', SHUTDOWN_TIMEOUT_MS: '0' });
    let answer = servedAnswer('{}');
    const parts = { ...cacheOf(() => answer), requests, logger: pino({ level: 'silent' }), settings };
    const { url, close } = await listen(composeDirect(express(), parts), settings);
    const get = (id: number) => `GET ${TARGET}?${id} HTTP/1.1\r\nHost: x\r\nX-Request-Id: id-${id}\r\n\r\n`;
    // The first hit of a connection shows what Node writes, and the others are written in the same way.
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
    const app = express();
    let finish: (() => void) | undefined;
    app.get('/slow', (_request, response) => {
      finish = () => void response.end('slow');
    });
    const settings = readSettings({ PORT: '0' });
    const parts = { ...cacheOf(() => servedAnswer('{}')), logger: pino({ level: 'silent' }), settings };
    const { url, close } = await listen(composeDirect(app, parts), settings);
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

  it('leave a request to express if the cache fails, and its error if it cannot be sent', async () => {
    const writeError: ErrorRequestHandler = ({ message }, _request, response, _next) => void response.end(message);
    const app = express();
    app.use(throwFailure);
    app.use((_request, response) => void response.end('answered'));
    app.use(writeError);
    const settings = readSettings({ PORT: '0' });
    const log: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void log.push(line) });
    const fail = () => {
      throw new Error('out of order');
    };
    // A line break is not allowed in a header.
    const invalid = () => servedAnswer('{}', undefined, { version: '1\n2' });
    const bodies: string[] = [];
    for (const find of [fail, invalid]) {
      const server = await listen(composeDirect(app, { ...cacheOf(find), logger, settings }), settings);
      bodies.push((await exchange(server, request('GET', TARGET))).body);
      await server.close();
    }
    expect(bodies).to.deep.equal(['answered', 'Invalid character in header content ["X-Data-Version"]']);
    const reasons = log.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
    expect(reasons).to.deep.equal(['out of order']);
  });
});

/** A cache that finds answers with `find` and computes none. */
function cacheOf(find: () => ServedAnswer) {
  const serve = () => Promise.reject(new Error('nothing is computed'));
  const cache = { find, findShared: async () => undefined, use: () => {}, serve };
  const ignore = () => {};
  const requests = observeRequests({ onBegin: ignore, onEnd: ignore, onSent: ignore, traceIdOf: () => undefined });
  return { cache, routes: () => undefined, limits: [], commonHeaders: [], requests };
}
