import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { createLimiter, takeAll } from '../../engine/http/limits/limiter.js';
import { openRedis } from '../../engine/http/redis/redis.js';
import { listen } from '../../server/listening/listen.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { useRedis } from '../services/redis.js';
import { record } from './report.js';

/** Measures the time limits of the service. The expected maximum times are longer than the limits, because a machine under load is slow. */
describe('time limits', () => {
  const redis = useRedis();
  const measure = async (subject: string, work: () => Promise<unknown>, belowMs: number) => {
    const started = performance.now();
    await work();
    const ms = performance.now() - started;
    record(subject, `${Math.round(ms)} ms`);
    expect(ms).to.be.below(belowMs);
  };

  it('end the wait for the headers of a client: Node checks this limit only every 30 seconds by default', async () => {
    const limits = { ...TIMEOUTS, headersMs: 100, requestMs: 200 };
    const { url, close } = await listen(() => {}, readSettings({ PORT: '0' }), undefined, limits);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    await measure('headers that do not arrive', () => text(socket), 20_000);
    await close();
  });

  it('end the wait for a collector of traces that does not answer, when the service stops', async () => {
    const silent = createServer(() => {});
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ENDPOINTS_DIR: FEW_ENDPOINTS };
    const demo = await startDemoService(environment);
    await demo.get('/v1/collections/');
    // At shutdown, the export of the last spans has a time limit of 2 s; other requests to the collector have 5 s.
    await measure('stop with a silent collector', () => demo.close(), 4_500);
    silent.closeAllConnections();
    silent.close();
  });

  it('of Redis do not end because the event loop is blocked', async () => {
    const logger = pino({ level: 'silent' });
    const connections = await Promise.all([0, 1].map(() => openRedis({ url: redis.url, timeoutMs: 50, logger })));
    const limiters = connections.map((one) => createLimiter({ name: 'blocked', points: 600, seconds: 60 }, one));
    const isOver = async (index: number) => {
      const limiter = limiters[index % 2];
      return limiter && (await takeAll([{ limiter, key: 'a' }]))[0]?.isOver;
    };
    const blocking = setInterval(() => block(100), 1);
    try {
      const asked = await Promise.all(Array.from({ length: 2_000 }, (_, index) => isOver(index)));
      expect(asked.filter((over) => over === false)).to.have.length(600);
    } finally {
      clearInterval(blocking);
      for (const connection of connections) connection.close();
    }
  });

  it('of a rate limit are not prolonged when the clock of the system is set back', async () => {
    const limiter = createLimiter({ name: 'back', points: 1, seconds: 2 });
    const take = async () => (await takeAll([{ limiter, key: 'a' }]))[0];
    await take();
    const { now } = Date;
    try {
      Date.now = () => now() - 86_400_000;
      expect((await take())?.isOver).to.equal(true);
      // The pause is a little longer, because a Node timer can end a millisecond early.
      await pause(2_100);
      expect((await take())?.isOver).to.equal(false);
    } finally {
      Date.now = now;
    }
  });
});

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
