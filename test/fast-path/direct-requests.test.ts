import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { pino } from 'pino';
import { EngineError } from '../../engine/index.js';
import type { AnswerRequest, TargetRequest } from '../../http/cache/answer-cache.js';
import type { ServedAnswer } from '../../http/cache/stored-answer.js';
import { composeDirect } from '../../server/direct/compose-direct.js';
import { listen } from '../../server/listening/listen.js';
import { createRequestLog } from '../../server/logging/request-line.js';
import { observeRequests } from '../../server/requests/observe-requests.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { eventually } from '../services/eventually.js';
import { exchange, type RawResponse, request, startTwoWays, type TwoWays } from './two-ways.js';

/** Requests that end with an error, and its status. */
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

describe('requests that are answered without express', () => {
  let ways: TwoWays | undefined;
  afterEach(async () => {
    await ways?.close();
    ways = undefined;
  });

  it('have the responses of express also if no answer is stored', async () => {
    ways = await startTwoWays();
    for (const [own, other] of [
      ['/v1/collections/1/ranking_by_stars', '/v1/collections/%32/ranking_by_stars/?'],
      ['/q/list-collections?', '/q/list-collections/'],
    ] as const) {
      const before = ways.passed();
      const missed = await exchange(ways.direct, request('GET', own));
      const stored = await exchange(ways.direct, request('GET', own, ['Cache-Control: no-cache']));
      expect(ways.passed()).to.equal(before);
      expect([missed, stored].map(({ volatile }) => volatile['cache-status'])).to.deep.equal([
        'repo-insight; fwd=miss; stored',
        'repo-insight; hit; detail=memory',
      ]);
      expect(await exchange(ways.express, request('GET', own))).to.include({ body: missed.body });
      const names = ({ headers, volatile }: RawResponse) => [Object.keys(headers), Object.keys(volatile)];
      const expected = await exchange(ways.express, request('GET', other, ['Cache-Control: no-cache']));
      const actual = expected.volatile['cache-status']?.includes('miss') ? missed : stored;
      expect([actual.statusLine, ...names(actual)]).to.deep.equal([expected.statusLine, ...names(expected)]);
    }
  });

  it('have the errors of express, are counted once, and have one log line', async () => {
    ways = await startTwoWays({ RATE_LIMIT_PER_HOUR: '1000' });
    const two = ways;
    const remaining = new Map<string, (number | undefined)[]>();
    for (const [index, [target, status]] of FAILING.entries()) {
      const lines = request('GET', target, [`X-Request-Id: failing-${index}`]);
      const [expected, actual] = [await exchange(two.express, lines), await exchange(two.direct, lines)];
      expect([target, expected.statusLine.split(' ')[1]]).to.deep.equal([target, String(status)]);
      const stable = ({ volatile, ...rest }: RawResponse) => ({ ...rest, volatile: Object.keys(volatile) });
      expect(stable(actual)).to.deep.equal(stable(expected));
      const counts = [expected, actual].map(({ volatile: { 'x-ratelimit-remaining': count } }) =>
        count === undefined ? undefined : Number(count),
      );
      remaining.set(target, counts);
    }
    for (const [target, [ofExpress, ofDirect]] of remaining) {
      expect([target, ofDirect]).to.deep.equal([target, ofExpress === undefined ? undefined : ofExpress - 1]);
    }
    const linesOf = () =>
      two.log().filter(({ req }) => /^failing-/.test((req as { id?: string } | undefined)?.id ?? ''));
    await eventually(() => linesOf().length >= 2 * FAILING.length);
    const statuses = linesOf().map(({ res }) => (res as { statusCode: number }).statusCode);
    expect(statuses).to.deep.equal(FAILING.flatMap(([, status]) => [status, status]));
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
  /** Gets a promise that resolves when the client has disconnected. */
  readonly findShared?: (closed: Promise<undefined>) => Promise<undefined>;
}

/** Sends a request and disconnects when the cache is asked. Returns the log lines of requests, and the reported errors. */
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
  const wanted = { endpoint: { definition: { name: 'asked' } } } as TargetRequest;
  const logRequest = createRequestLog(logger);
  const requests = observeRequests({
    onBegin: () => {},
    onEnd: logRequest,
    onSent: logRequest,
    traceIdOf: () => undefined,
  });
  const parts = { cache, routes: () => wanted, limits: [], commonHeaders: [], logger, requests, settings };
  const listener = composeDirect(express(), parts);
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
