import { once } from 'node:events';
import { OutgoingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Listening, listen } from '../../server/listening/listen.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { rawRequest } from '../service/raw-request.js';
import { eventually } from '../services/eventually.js';

const COUNT = 10_000;
const MEGABYTE = 1_000_000;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('pipelined requests', () => {
  let server: Listening | undefined;
  afterEach(() => server?.close());

  for (const kind of ['at once', 'later'] as const) {
    it(`are not answered in memory if the client reads nothing, with answers ${kind}`, async () => {
      const settings = readSettings({ PORT: '0', SHUTDOWN_TIMEOUT_MS: '0' });
      let [answered, others] = [0, 0];
      server = await listen(async ({ url }, response) => {
        if (url === '/other') others += 1;
        else answered += 1;
        if (kind === 'later') await pause();
        response.end(Buffer.alloc(MEGABYTE));
      }, settings);
      const { port } = new URL(server.url);
      const silent = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      silent.pause().write(get('/').repeat(COUNT));
      await eventually(() => answered > 0);
      // In this time, more answers for the first connection could be created.
      for (let time = 1; time <= 50; time += 1) {
        await rawRequest(server.url, get('/other').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
        expect(others).to.equal(time);
      }
      // Only as many answers are created as fit into the buffers of the system.
      expect(answered).to.be.within(1, 20);
      silent.destroy();
    });
  }

  it('are not all read while the first one waits for its answer', async () => {
    let isFirstSent = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      isFirstSent = resolve;
    });
    let answered = 0;
    let connection: Socket | undefined;
    server = await listen(
      async ({ url, socket }, response) => {
        connection = socket;
        if (url === '/first') await waiting;
        answered += 1;
        response.end('answered');
      },
      readSettings({ PORT: '0', SHUTDOWN_TIMEOUT_MS: '0' }),
    );
    const client = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
    await once(client, 'connect');
    const sent = get('/first') + get('/').repeat(10 * COUNT);
    client.resume().write(sent);
    await eventually(() => connection?.isPaused() === true);
    expect(connection?.bytesRead).to.be.below(sent.length / 2);
    expect(answered).to.equal(0);
    isFirstSent();
    await eventually(() => answered > COUNT);
    client.destroy();
  });

  it('end their connection if Node cannot pause it and too many wait', async () => {
    Object.defineProperty(OutgoingMessage.prototype, '_onPendingData', { set: () => undefined, configurable: true });
    try {
      server = await listen(() => undefined, readSettings({ PORT: '0', SHUTDOWN_TIMEOUT_MS: '0' }));
      const client = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
      client.resume().write(get('/').repeat(3 * COUNT));
      await new Promise((resolve) => client.once('close', resolve));
    } finally {
      Reflect.deleteProperty(OutgoingMessage.prototype, '_onPendingData');
    }
  });

  it('are all answered in their order if the client reads', async () => {
    server = await listen(
      async ({ url = '' }, response) => {
        if (url.endsWith('5')) await pause();
        response.end(`<${url}>`);
      },
      readSettings({ PORT: '0' }),
    );
    const paths = Array.from({ length: COUNT }, (_, index) => `/${index}`);
    const last = get('/last').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const received = await rawRequest(server.url, `${paths.map(get).join('')}${last}`);
    expect([...received.matchAll(/<(.+?)>/g)].map(([, path]) => path)).to.deep.equal([...paths, '/last']);
  });

  it('after a request for another protocol end with its answer, because Node drops them', async () => {
    server = await listen(({ url }, response) => response.end(`<${url}>`), readSettings({ PORT: '0' }));
    const upgrade = (protocol: string) =>
      get('/upgrade').replace('\r\n\r\n', `\r\nConnection: keep-alive, Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    const received = await rawRequest(server.url, get('/first') + upgrade('websocket') + get('/dropped'));
    expect([...received.matchAll(/<(.+?)>/g)].map(([, path]) => path)).to.deep.equal(['/first', '/upgrade']);
    expect(received.match(/^Connection: .*$/gim)).to.deep.equal(['Connection: keep-alive', 'Connection: close']);
    // Like the HTTP client of Java, sends the next request later on the same connection.
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    client.write(upgrade('h2c'));
    expect(String(await once(client, 'data'))).to.include('Connection: keep-alive');
    client.destroy();
  });
});
