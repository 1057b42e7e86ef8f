import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Listening, listen } from '../../server/listening/listen.js';
import { answerUnreadable, type UnreadableRequest } from '../../server/listening/unreadable-requests.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS, type Timeouts } from '../../server/settings/timeouts.js';
import { rawRequest } from '../service/raw-request.js';
import { eventually } from '../services/eventually.js';

/** A body that is larger than the socket buffers of the system. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

const INVALID_HOSTS = [
  '',
  'a b',
  'a,b',
  'user@a.example',
  'user:password@a.example',
  'a.example/path',
  'a.example?query',
  'http://a.example',
  'a\tb',
  'ä.example',
  'a.example:http',
  'a.example:-1',
  'a.example:65536',
  'a.example:80:80',
  ':80',
  '2001:db8::1',
  '[2001:db8::1',
  '[2001:db8::1]80',
  '[2001:db8::g]',
  '[::1%25eth0]',
  '[]',
  '<script>',
  'a'.repeat(256),
];
const VALID_HOSTS = [
  'a',
  'a.example',
  'A_b-1.example.',
  'a.example:3450',
  'a:',
  '127.0.0.1:80',
  '[::1]',
  '[2001:db8::1]:8080',
];

describe('a listening server', () => {
  let listening: Listening | undefined;
  /** Whether the connection of the last request was closed. */
  let isClosed = false;
  const reported: UnreadableRequest[] = [];
  afterEach(async () => {
    await listening?.close();
    reported.length = 0;
    isClosed = false;
  });

  const start = async (timeouts: Partial<Timeouts> = {}) => {
    const settings = readSettings({ PORT: '0', SHUTDOWN_TIMEOUT_MS: '100' });
    listening = await listen(
      async ({ url, socket }, response) => {
        socket.once('close', () => {
          isClosed = true;
        });
        if (url === '/later') await pause();
        // The idle timeout ends first, and then the answer is sent.
        if (url === '/slow' || url === '/piecewise') await once(socket, 'timeout');
        // Writes the answer in pieces, as compression does: the next piece is written when the buffer has space.
        if (url === '/piecewise') response.write(LARGE);
        else response.end(url === '/large' ? LARGE : 'answered');
      },
      settings,
      (request) => reported.push(request),
      { ...TIMEOUTS, ...timeouts },
    );
    return listening.url;
  };

  it('answers the requests that precede an unreadable one', async () => {
    const url = await start();
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const statusesOf = async (...requests: string[]) =>
      [...(await rawRequest(url, requests.join(''))).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
    expect(await statusesOf(get('/later'), get('/'), 'NONSENSE\r\n\r\n')).to.deep.equal([200, 200, 400]);
    expect(await statusesOf(get('/later', 'Connection: close\r\n'), get('/'))).to.deep.equal([200]);
  });

  it('reads more than two thousand headers', async () => {
    const url = await start();
    const many = Array.from({ length: 2_100 }, (_, index) => `a${index}:\r\n`).join('');
    const answer = await rawRequest(url, `GET / HTTP/1.1\r\nHost: x\r\n${many}Host: y\r\n\r\n`);
    expect(answer).to.match(/^HTTP\/1.1 400 .*A request must have only one Host header/s);
  });

  it('answers a target that is a URL of another scheme with 400', async () => {
    const answer = await rawRequest(await start(), 'GET ftp://a.example/ HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).to.match(/^HTTP\/1.1 400 .*must begin with http:\/\/ or https:\/\//s);
  });

  it('disconnects a client that does not send its headers within the time limit', async () => {
    const url = await start({ headersMs: 100, requestMs: 200 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    expect(await text(socket)).to.match(/^HTTP\/1.1 408 Request Timeout\r\n.*"code":"request_timeout"/s);
  });

  it('closes the connection of a client that sends nothing and does not close its side', async () => {
    const server = createServer({ headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 });
    answerUnreadable(server, () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    expect(await text(socket)).to.match(/^HTTP\/1.1 408 /);
    const count = promisify(server.getConnections.bind(server));
    await eventually(async () => (await count()) === 0);
    socket.destroy();
    server.close();
  });

  for (const path of ['/large', '/piecewise']) {
    it(`disconnects a client that stops reading its answer from ${path}`, async () => {
      const url = await start({ headersMs: 300, requestMs: 300 });
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await eventually(() => isClosed);
      socket.destroy();
    });
  }

  it('waits without a time limit for an answer that has not started', async () => {
    const url = await start({ headersMs: 100, requestMs: 100 });
    expect(await (await fetch(`${url}/slow`)).text()).to.equal('answered');
  });

  const unreadable: readonly (readonly [string, string, number, string, string])[] = [
    ['an unknown method', 'BREW / HTTP/1.1\r\n\r\n', 400, 'bad_request', 'HPE_INVALID_METHOD'],
    ['a method in small letters', 'get / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'bad_request', 'HPE_INVALID_METHOD'],
    ['the hello of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', 400, 'bad_request', 'HPE_INVALID_METHOD'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'bad_request',
      'HPE_UNEXPECTED_CONTENT_LENGTH',
    ],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request', 'NO_HOST'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n', 400, 'bad_request', 'SEVERAL_HOSTS'],
    ['two hosts of HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n', 400, 'bad_request', 'SEVERAL_HOSTS'],
    ...INVALID_HOSTS.map(
      (host) =>
        [
          `the host ${JSON.stringify(host)}`,
          `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
          400,
          'bad_request',
          'INVALID_HOST',
        ] as const,
    ),
    ...INVALID_HOSTS.filter((host) => /^[!-~]*$/.test(host) && !/[/?#<]/.test(host)).map(
      (host) =>
        [
          `the target of the host ${JSON.stringify(host)}`,
          `GET http://${host}/ HTTP/1.1\r\nHost: a\r\n\r\n`,
          400,
          'bad_request',
          'INVALID_HOST',
        ] as const,
    ),
    [
      'a long target',
      `GET /?${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'headers_too_large',
      'HPE_HEADER_OVERFLOW',
    ],
    [
      'a long header',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
      431,
      'headers_too_large',
      'HPE_HEADER_OVERFLOW',
    ],
  ];
  for (const [what, bytes, status, code, reason] of unreadable) {
    it(`answers ${what} with problem details and status ${status}, and reports it`, async () => {
      const received = await rawRequest(await start(), Buffer.from(bytes, 'latin1'));
      const [head = '', body = ''] = received.split('\r\n\r\n');
      const { title, detail, request_id, ...problem } = JSON.parse(body);
      expect(problem).to.deep.equal({ type: 'about:blank', status, code });
      expect(head).to.match(new RegExp(`^HTTP/1.1 ${status} ${title}\\r\n`));
      expect(head).to.include(
        `X-Request-Id: ${request_id}\r\nContent-Type: application/problem+json; charset=utf-8\r\n`,
      );
      expect(reported).to.deep.equal([{ id: request_id, status, reason }]);
    });
  }

  for (const host of VALID_HOSTS) {
    it(`accepts requests for the host ${host}, also as a whole URL`, async () => {
      const url = await start();
      for (const head of [`GET / HTTP/1.1\r\nHost: ${host}`, `GET http://${host}/ HTTP/1.1\r\nHost: other.example`]) {
        expect(await rawRequest(url, `${head}\r\nConnection: close\r\n\r\n`)).to.match(
          /^HTTP\/1.1 200 OK\r\n.*answered$/s,
        );
      }
    });
  }

  it('answers any number of chunked requests of one connection', async () => {
    listening = await listen(
      async (request, response) => {
        response.end(await text(request));
      },
      readSettings({ PORT: '0' }),
    );
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';
    const body = '\r\n1\r\nx\r\n0\r\n\r\n';
    const sent = `${`${head}${body}`.repeat(15_000)}${head}Connection: close\r\n${body}`;
    expect((await rawRequest(listening.url, sent)).match(/HTTP\/1.1 200 OK/g)).to.have.length(15_001);
  });

  it('accepts HTTP/1.0 requests without a host', async () => {
    expect(await rawRequest(await start(), 'GET / HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1.1 200 OK\r\n.*answered$/s);
  });

  it('ignores an unknown expectation', async () => {
    const received = await rawRequest(
      await start(),
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: the-moon\r\nConnection: close\r\n\r\n',
    );
    expect(received).to.match(/^HTTP\/1.1 200 OK\r\n.*answered$/s);
    expect(reported).to.deep.equal([]);
  });
});
