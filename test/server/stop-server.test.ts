import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type Listening, listen } from '../../server/listening/listen.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { eventually } from '../services/eventually.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** A time that is longer than any test may take. */
const TOO_LONG = 600_000;

describe('a server that stops', () => {
  const start = (drainMs: number) => {
    const settings = readSettings({ PORT: '0', SHUTDOWN_TIMEOUT_MS: String(TOO_LONG) });
    return listen((_request, response) => response.end('answered'), settings, undefined, { ...TIMEOUTS, drainMs });
  };

  it('answers the requests that clients send on open connections', async () => {
    const server = await start(TOO_LONG);
    const clients = await Promise.all(Array.from({ length: 20 }, () => openClient(server)));
    const idle = await openClient(server);
    await idle.ask();
    let answered = 0;
    const last = clients.map(async ({ ask }) => {
      for (;;) {
        const answer = await ask();
        answered += 1;
        if (/^Connection: close\r$/im.test(answer)) return answer;
      }
    });
    await eventually(() => answered > 200);
    const stopped = server.close();
    const answers = [...(await Promise.all(last)), await idle.ask()];
    for (const answer of answers) expect(answer).to.match(/^HTTP\/1.1 200 OK\r\n.*Connection: close\r\n.*answered$/s);
    await stopped;
  });

  it('answers clients whose connections it has not accepted yet', async () => {
    const server = await start(TOO_LONG);
    const clients = Array.from({ length: 20 }, () => openClient(server));
    // When the system calls return, the connections are established, but the server cannot have accepted any of them yet.
    const stopped = await new Promise<{ readonly closed: Promise<void> }>((resolve) =>
      process.nextTick(() => resolve({ closed: server.close() })),
    );
    const answers = await Promise.all(clients.map(async (client) => (await client).ask()));
    for (const answer of answers) expect(answer).to.match(/^HTTP\/1.1 200 OK\r\n.*Connection: close\r\n.*answered$/s);
    await stopped.closed;
  });

  it('accepts connections until no connection waits for any worker, and answers when no worker accepts connections', async () => {
    const server = await start(TOO_LONG);
    const steps: (() => void)[] = [];
    const step = () => new Promise<void>((resolve) => void steps.push(resolve));
    const stopped = server.close('stop', { flush: () => Promise.resolve(), allDrained: step, allClosed: step });
    await eventually(() => steps.length === 1);
    const client = await openClient(server);
    let answer: string | undefined;
    const answered = client.ask().then((text) => {
      answer = text;
    });
    steps[0]?.();
    await eventually(() => steps.length === 2);
    const rejected = await openClient(server).catch(({ code }: NodeJS.ErrnoException) => code);
    expect([rejected, answer]).to.deep.equal(['ECONNREFUSED', undefined]);
    steps[1]?.();
    await answered;
    expect(answer).to.match(/^HTTP\/1.1 200 OK\r\n.*Connection: close\r\n.*answered$/s);
    await stopped;
  });

  it('closes idle connections after a short time', async () => {
    const server = await start(50);
    const idle = await openClient(server);
    await idle.ask();
    const closed = once(idle.socket, 'close');
    await server.close();
    await closed;
  });

  it('closes connections without any request after a short time', async () => {
    const server = await start(50);
    const { socket } = await openClient(server);
    const closed = once(socket, 'close');
    await server.close();
    await closed;
  });

  it('does not wait if it has no connections', async () => {
    const server = await start(TOO_LONG);
    await server.close();
  });
});

/** Opens a keep-alive connection. `ask` rejects if the server closes the connection instead of answering. */
async function openClient({ url }: Listening): Promise<{ readonly socket: Socket; ask(): Promise<string> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  const ask = () =>
    new Promise<string>((resolve, reject) => {
      let received = '';
      const onClose = () => reject(new Error(`The connection was closed after ${JSON.stringify(received)}.`));
      const onData = (text: string) => {
        received += text;
        if (!received.endsWith('answered')) return;
        socket.off('data', onData).off('close', onClose).off('error', reject);
        resolve(received);
      };
      socket.on('data', onData).on('close', onClose).on('error', reject).write(REQUEST);
    });
  return { socket, ask };
}
