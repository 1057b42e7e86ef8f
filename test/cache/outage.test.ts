import { expect } from 'chai';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { type CachedAnswer, type CachedService, NAMES, startCachedService } from './cached-service.js';

const UNAVAILABLE = 'fwd=stale; detail=unavailable';
const HIT = 'hit; detail=memory';

describe('stored answers without their database', () => {
  const server = useMysql();
  let proxy: TcpProxy;
  let demo: CachedService;
  beforeEach(async () => {
    const url = new URL(server.url);
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    demo = await startCachedService([NAMES], { ...server.environment, DATABASE_URL: url.href });
  });
  afterEach(async () => {
    proxy.resume();
    await demo.close();
    await proxy.close();
  });

  const warm = async () => {
    const first = await demo.ask('/v1/cached/names/?least=1');
    expect(first.body.data.result.stale).to.equal(false);
    return first;
  };
  /** Expects that the answer is the same as the last one, states that it is stale, and that its age is the time since its newest data. */
  const expectLast = ({ status, cache, body, headers }: CachedAnswer, last: CachedAnswer) => {
    const { stale, notices, ...result } = body.data.result;
    const { stale: _, notices: before, ...lastResult } = last.body.data.result;
    expect({ status, cache, stale, rows: body.data.rows, result }).to.deep.equal({
      status: 200,
      cache: UNAVAILABLE,
      stale: true,
      rows: last.body.data.rows,
      result: lastResult,
    });
    expect(notices.slice(0, -1)).to.deep.equal(before);
    expect(notices.at(-1)).to.match(/^This is the last known answer: the database /);
    expect([headers.get('etag'), headers.get('cache-control')]).to.deep.equal([null, 'no-store']);
  };
  const confirmedAt = ({ headers }: CachedAnswer) => Date.parse(headers.get('x-data-confirmed') ?? '');
  const expectRecovery = async () => {
    await eventually(async () => {
      const { cache, body } = await demo.ask('/v1/cached/names/?least=1');
      return cache === HIT && !body.data.result.stale;
    });
  };

  it('are sent with status 200, and say that they are stale, while it does not respond', async () => {
    const last = await warm();
    // The versions are read every 50 ms, so they are confirmed again after the answer was computed.
    await eventually(async () => confirmedAt(await demo.ask('/v1/cached/names/?least=1')) > confirmedAt(last));
    proxy.stall();
    let unavailable = last;
    await eventually(async () => {
      unavailable = await demo.ask('/v1/cached/names/?least=1');
      return unavailable.cache === UNAVAILABLE;
    });
    expect(confirmedAt(unavailable)).to.be.above(confirmedAt(last));
    for (let time = 0; time < 10; time += 1) {
      const answer = await demo.ask('/v1/cached/names/?least=1');
      expectLast(answer, last);
      expect(confirmedAt(answer)).to.equal(confirmedAt(unavailable));
    }
    proxy.resume();
    await expectRecovery();
  });

  it('are sent while it is unreachable, but other requests fail and errors of callers are reported', async () => {
    const last = await warm();
    await proxy.close();
    await eventually(async () => (await demo.ask('/v1/cached/names/?least=1')).cache === UNAVAILABLE);
    expectLast(await demo.ask('/v1/cached/names/?least=1'), last);
    expectLast(await demo.ask('/v1/cached/names/?least=1', { headers: { 'Cache-Control': 'no-cache' } }), last);
    expect((await demo.ask('/v1/cached/names/?least=2')).status).to.equal(503);
    expect((await demo.ask('/v1/cached/names/?least=x')).status).to.equal(400);
    proxy = await startTcpProxy(Number(new URL(server.url).port), proxy.port);
    await expectRecovery();
  });
});
