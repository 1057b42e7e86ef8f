import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { AnswerReader, headerOf, type RawAnswer } from '../../bench/serving/load/answer-reader.js';

describe('the answer reader of the load generator', () => {
  it('finds the answers of node:http, with a length, in chunks and without a body, at any division of the bytes', async () => {
    const bytes = await answersOf(['/length', '/chunks', '/304', '/empty', '/length']);
    const whole = new AnswerReader().take(bytes).map(summaryOf);
    expect(whole).to.deep.equal([
      { status: 200, path: '/length', body: 'stored bytes' },
      { status: 200, path: '/chunks', body: 'first\r\n\r\nsecond' },
      { status: 304, path: '/304', body: '' },
      { status: 503, path: '/empty', body: '' },
      { status: 200, path: '/length', body: 'stored bytes' },
    ]);
    for (let at = 1; at < bytes.length; at += 1) {
      const reader = new AnswerReader();
      const parts = [...reader.take(bytes.subarray(0, at)), ...reader.take(bytes.subarray(at))];
      expect(parts.map(summaryOf), `divided at byte ${at}`).to.deep.equal(whole);
    }
  });

  it('finds them if each byte arrives separately', async () => {
    const bytes = await answersOf(['/chunks', '/length']);
    const reader = new AnswerReader();
    const answers = [...bytes].flatMap((byte) => reader.take(Buffer.of(byte)));
    expect(answers.map(summaryOf)).to.deep.equal([
      { status: 200, path: '/chunks', body: 'first\r\n\r\nsecond' },
      { status: 200, path: '/length', body: 'stored bytes' },
    ]);
  });

  it('rejects an answer that only the end of the connection ends', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nsome text\r\n');
    expect(() => new AnswerReader().take(bytes)).to.throw('expected an answer with a length');
  });
});

function summaryOf(answer: RawAnswer) {
  return { status: answer.status, path: headerOf(answer, 'x-path'), body: answer.body.toString() };
}

/** Returns all bytes that node:http sends for these paths over one connection. */
async function answersOf(paths: readonly string[]): Promise<Buffer> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('X-Path', url);
    if (url === '/length') return void response.end('stored bytes');
    if (url === '/304') return void response.writeHead(304).end();
    if (url === '/empty') return void response.writeHead(503, { 'Content-Length': '0' }).end();
    response.write('first\r\n\r\n');
    response.end('second');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const requests = paths.map((path, index) => {
    const last = index === paths.length - 1 ? 'Connection: close\r\n' : '';
    return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
  });
  socket.write(requests.join(''));
  const bytes = await buffer(socket);
  server.close();
  return bytes;
}
