import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createTextSender, type HitText } from '../../engine/http/cache/send-answer.js';
import { rawRequest } from '../service/raw-request.js';

const LINES = 'X-Request-Id: a\r\nContent-Type: application/json\r\n';
const TEXTS: Readonly<Record<string, HitText>> = {
  '/text': { status: 200, lines: `${LINES}Content-Length: 4\r\n`, body: '"\xc3\xa4"' },
  '/bytes': { status: 200, lines: `${LINES}Content-Length: 4\r\n`, body: Buffer.from('"ä"') },
  '/none': { status: 304, lines: LINES, body: undefined },
};

describe('a head that is given to Node as text', () => {
  let server: Server;
  let written: string[];
  beforeEach(async () => {
    written = [];
    const send = createTextSender();
    server = createServer((request, response) => {
      const { url = '' } = request;
      const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => typeof response;
      response.writeHead = (...values: unknown[]) => {
        written.push(url);
        return writeHead(...values);
      };
      if (request.headers['x-set'] !== undefined) response.setHeader('X-Set', '1');
      if (!send(request, response, TEXTS[url] as HitText)) response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => server.close());

  /** Sends requests on one connection, which the last request closes. Returns the answers without their dates. */
  const answersTo = async (...requests: string[]) => {
    const bytes = [...requests, 'GET /none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'].join('\r\n');
    const { port } = server.address() as AddressInfo;
    const answers = (await rawRequest(`http://127.0.0.1:${port}`, `${bytes}\r\n`)).split(/(?=HTTP\/1\.1 \d+ )/);
    return answers.map((answer) => answer.replace(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/, '\r\n'));
  };
  const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}`;

  for (const [target, { status, lines }] of Object.entries(TEXTS)) {
    it(`is sent like the head that writeHead writes: ${target}`, async () => {
      const [first, second] = await answersTo(get(target), get(target));
      const connection = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n';
      const start = `HTTP/1.1 ${status === 200 ? '200 OK' : '304 Not Modified'}\r\n${lines}${connection}`;
      expect([first, second]).to.deep.equal(Array(2).fill(status === 200 ? `${start}"\xc3\xa4"` : start));
      expect(written).to.deep.equal([target, '/none']);
    });
  }

  it('is not used if the connection closes, or if the response has other headers', async () => {
    const [, set, closed] = await answersTo(get('/text'), get('/text', 'X-Set: 1\r\n'));
    expect([set, closed].map((answer) => answer?.slice(0, 12))).to.deep.equal(['HTTP/1.1 500', 'HTTP/1.1 500']);
  });
});
