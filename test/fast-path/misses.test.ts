import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { pino } from 'pino';
import type { AnswerRequest, TargetRequest } from '../../engine/http/cache/answer-cache.js';
import type { ServedAnswer } from '../../engine/http/cache/stored-answer.js';
import { EngineError } from '../../engine/index.js';
import { listen } from '../../server/listening/listen.js';
import { createRequestLog } from '../../server/logging/request-line.js';
import { observeRequests } from '../../server/requests/observe-requests.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { eventually } from '../services/eventually.js';
import { answerWith } from './answer-with.js';
import {
  type DefinitionService,
  exchange,
  type RawResponse,
  request,
  startDefinitionService,
} from './definition-service.js';

/** Requests that fail, with the expected status. */
const FAILING: readonly (readonly [target: string, status: number])[] = [
  ['/v1/collections/1/ranking_by_stars/?page=1&nothing=2', 400],
  ['/v1/collections/x/ranking_by_stars/', 400],
  ['/v1/collections/%31%E0%A4/ranking_by_stars', 400],
  ['/v1/collections/?a=%E0%A4', 400],
  ['/v1/collections//ranking_by_stars/', 404],
  ['/v1/collections/1/ranking_by_stars//', 404],
  ['/v1/Collections/', 404],
  ['/v1/collections/1/nothing/', 404],
  ['/q/nothing', 404],
  ['/q/list-collections?nothing=1', 400],
  ['/q/playground', 405],
  ['/q/explain', 404],
];

describe('requests for definitions without a stored answer', () => {
  let service: DefinitionService;
  before(async () => {
    service = await startDefinitionService({ RATE_LIMIT_PER_HOUR: '1000', TRUSTED_PROXIES: 'loopback' });
  });
  after(() => service.close());

  it('are answered without express, and have the headers of later hits', async () => {
    const before = service.passed();
    for (const target of ['/v1/collections/1/ranking_by_stars', '/q/list-collections?']) {
      const missed = await exchange(service, request('GET', target));
      const stored = await exchange(service, request('GET', target));
      expect([missed, stored].map(({ volatile }) => volatile['cache-status'])).to.deep.equal([
        'repo-insight; fwd=miss; stored',
        'repo-insight; hit; detail=memory',
      ]);
      expect([missed.statusLine, missed.headers, missed.body]).to.deep.equal([
        stored.statusLine,
        stored.headers,
        stored.body,
      ]);
      const names = ({ volatile }: RawResponse) => Object.keys(volatile).filter((name) => name !== 'age');
      expect(names(missed)).to.deep.equal(names(stored));
    }
    expect(service.passed()).to.equal(before);
  });

  it('are counted once and have one log line if they fail', async () => {
    const { log } = service;
    let remaining = 1_000;
    for (const [index, [target, status]] of FAILING.entries()) {
      const lines = request('GET', target, [`X-Request-Id: failing-${index}`, 'X-Forwarded-For: 192.0.2.1']);
      const { statusLine, volatile, body } = await exchange(service, lines);
      const limit = volatile['x-ratelimit-remaining'];
      if (limit !== undefined) remaining -= 1;
      expect([target, statusLine.split(' ')[1], limit]).to.deep.equal([
        target,
        String(status),
        target.startsWith('/q/pl') || target === '/q/explain/' ? undefined : String(remaining),
      ]);
      const answer = JSON.parse(body) as { data?: { result: { request_id: string } }; request_id?: string };
      expect(answer.data?.result.request_id ?? answer.request_id).to.equal(`failing-${index}`);
    }
    const linesOf = () => log().filter(({ req }) => /^failing-/.test((req as { id?: string } | undefined)?.id ?? ''));
    await eventually(() => linesOf().length >= FAILING.length);
    const statuses = linesOf().map(({ res }) => (res as { statusCode: number }).statusCode);
    expect(statuses).to.deep.equal(FAILING.map(([, status]) => status));
  });

  it('end if the client disconnects, with one log line', async () => {
    const serve = async ({ signal }: AnswerRequest) => {
      await once(signal, 'abort');
      throw new EngineError('query_cancelled', 'no client waits');
    };
    const { lines, reported } = await disconnect({ serve });
    expect([lines, reported]).to.deep.equal([[['request aborted', { statusCode: 499 }, 40]], []]);
  });

  it('run no query if the client disconnects while Redis is asked', async () => {
    let isServed = false;
    const serve = async () => {
      isServed = true;
      throw new Error('the cache was asked');
    };
    const { lines, reported } = await disconnect({ findShared: async (closed) => closed, serve });
    expect([lines, reported, isServed]).to.deep.equal([[['request aborted', { statusCode: 499 }, 40]], [], false]);
  });

  it('report an unexpected error also if the client disconnected', async () => {
    const serve = async ({ signal }: AnswerRequest) => {
      await once(signal, 'abort');
      throw new TypeError('a fault of the program');
    };
    const { lines, reported } = await disconnect({ serve });
    expect([lines, reported]).to.deep.equal([
      [['request aborted', { statusCode: 499 }, 40]],
      ['a fault of the program'],
    ]);
  });
});

interface Disconnected {
  readonly serve: (request: AnswerRequest) => Promise<ServedAnswer>;
  /** Called with a promise that resolves when the client has disconnected. */
  readonly findShared?: (closed: Promise<undefined>) => Promise<undefined>;
}

/** Sends a request, and disconnects when the cache is read. Returns the log lines of requests, and the reported errors. */
async function disconnect({ serve, findShared = async () => undefined }: Disconnected) {
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const settings = readSettings({ PORT: '0' });
  let socket: Socket | undefined;
  let isClosed = (): void => {};
  const closed = new Promise<undefined>((resolve) => {
    isClosed = () => resolve(undefined);
  });
  const askServe = (request: AnswerRequest) => {
    socket?.destroy();
    return serve(request);
  };
  const askShared = () => findShared(closed);
  const cache = { find: () => undefined, findShared: askShared, use: () => {}, serve: askServe };
  const wanted = { endpoint: { definition: { name: 'asked', limits: {} } } } as TargetRequest;
  const logRequest = createRequestLog(logger);
  const requests = observeRequests({
    onBegin: () => {},
    onEnd: logRequest,
    onSent: logRequest,
    traceIdOf: () => undefined,
  });
  const route = { operation: 'asked', read: () => wanted };
  const report = (error: unknown) => logger.error({ err: error });
  const listener = answerWith({ cache, findDefinition: () => route, requests, report });
  const server = await listen((request, response) => {
    response.once('close', isClosed);
    listener(request, response);
    if (findShared.length > 0) socket?.destroy();
  }, settings);
  socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /v1/slow/ HTTP/1.1\r\nHost: x\r\n\r\n');
  await eventually(() => log.some(({ req }) => req !== undefined));
  await server.close();
  return {
    lines: log.filter(({ req }) => req !== undefined).map(({ msg, res, level }) => [msg, res, level]),
    reported: log.flatMap(({ err }) => (err === undefined ? [] : [(err as Error).message])),
  };
}
