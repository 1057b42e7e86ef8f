import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { pino } from 'pino';
import { EngineError } from '../../engine/index.js';
import type { AnswerRequest, TargetRequest } from '../../http/cache/answer-cache.js';
import type { ServedAnswer } from '../../http/cache/stored-answer.js';
import { composeDirect } from '../../server/direct/compose-direct.js';
import { listen } from '../../server/listening/listen.js';
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
    await eventually(20_000, () => linesOf().length >= 2 * FAILING.length);
    const statuses = linesOf().map(({ res }) => (res as { statusCode: number }).statusCode);
    expect(statuses).to.deep.equal(FAILING.flatMap(([, status]) => [status, status]));
  });

  it('end if the client disconnects, with one log line', async () => {
    const log: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) });
    let isAsked = false;
    const serve = ({ signal }: AnswerRequest) => {
      isAsked = true;
      return new Promise<ServedAnswer>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new EngineError('query_cancelled', 'no client waits')));
      });
    };
    const cache = { find: () => undefined, findShared: async () => undefined, use: () => {}, serve };
    const settings = readSettings({ PORT: '0' });
    const parts = { cache, routes: () => ({}) as TargetRequest, limits: [], commonHeaders: [], logger, settings };
    const server = await listen(composeDirect(express(), parts), settings);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /v1/slow/ HTTP/1.1\r\nHost: x\r\nX-Request-Id: gone\r\n\r\n');
    await eventually(20_000, () => isAsked);
    socket.destroy();
    await eventually(20_000, () => log.length > 0);
    await server.close();
    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg, req, res, level }) => [msg, (req as { id: string }).id, res, level])).to.deep.equal([
      ['request aborted', 'gone', { statusCode: 499 }, 40],
    ]);
  });
});
