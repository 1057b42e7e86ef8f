import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { tokenOf, useSharedDemo, waitForPlayground } from './demo-service.js';
import { rawRequest } from './raw-request.js';

const MEGABYTE = 1024 * 1024;
const ANNOUNCED = 3 * 1024 * MEGABYTE;
/** The number of bytes that the service reads or two socket buffers can hold. */
const MOST_TAKEN = 16 * MEGABYTE;
const GIVEN_UP = 128 * MEGABYTE;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);

describe('a request with a large body', () => {
  const shared = useSharedDemo();
  const url = () => shared.demo.service.url;

  /**
   * Sends the piece repeatedly until the service stops reading. Returns the answer and the number of bytes that the
   * service read.
   */
  const pour = async (head: string, piece: Buffer): Promise<{ readonly said: string; readonly taken: number }> => {
    const socket = connect(Number(new URL(url()).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let [said, taken] = ['', 0];
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      said += data.toString('latin1');
    });
    const send = () => {
      if (taken > GIVEN_UP) return socket.destroy();
      return socket.write(piece, (error) => {
        if (error) return;
        taken += piece.length;
        send();
      });
    };
    socket.write(`${head}\r\n`);
    send();
    await closed;
    return { said, taken };
  };
  const announced = `Host: x\r\nContent-Length: ${ANNOUNCED}\r\n`;
  const chunked = 'Host: x\r\nTransfer-Encoding: chunked\r\n';
  const json = 'Content-Type: application/json\r\n';
  const statusOf = (said: string) => Number(/^HTTP\/1.1 (\d+) /.exec(said)?.[1]);

  const targets = ['PUT /user/email-updates/', 'POST /q/playground', 'GET /v1/nothing', 'POST /', 'PATCH /nowhere'];
  for (const target of targets) {
    it(`is rejected before its body is read: ${target}`, async () => {
      const { said, taken } = await pour(`${target} HTTP/1.1\r\n${announced}${json}`, PIECE);
      expect(statusOf(said)).to.equal(413);
      expect(said).to.include('\r\nConnection: close\r\n').and.to.include('"The body exceeds the limit of 100kb."');
      expect(taken).to.be.below(MOST_TAKEN);
    });
  }

  const early: readonly (readonly [string, number])[] = [
    ['POST /q/playground', 413],
    ['PUT /user/email-updates/', 401],
    ['GET /v1/nothing', 404],
    ['POST /', 405],
  ];
  for (const [target, status] of early) {
    it(`ends with its answer if it does not announce its length: ${target}`, async () => {
      const { said, taken } = await pour(`${target} HTTP/1.1\r\n${chunked}${json}`, CHUNK);
      expect(statusOf(said)).to.equal(status);
      expect(said).to.include('\r\nConnection: close\r\n');
      expect(taken).to.be.below(MOST_TAKEN);
    });
  }

  it('is rejected while its compressed body arrives', async () => {
    const token = await tokenOf('packer');
    const head = `PUT /user/email-updates/ HTTP/1.1\r\n${chunked}${json}Authorization: Bearer ${token}\r\n`;
    // A stored DEFLATE block that is not the last one. The test sends it endlessly.
    const block = Buffer.concat([Buffer.from([0, 0xff, 0xff, 0, 0]), Buffer.alloc(0xffff, ' ')]);
    const piece = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
    const { said, taken } = await pour(`${head}Content-Encoding: deflate\r\n`, piece);
    expect(statusOf(said)).to.equal(413);
    expect(taken).to.be.below(MOST_TAKEN);
  });

  it('gets its answer even if the client reads only after it has sent everything', async () => {
    const body = ' '.repeat(150_000);
    const head = `POST /q/playground HTTP/1.1\r\nHost: x\r\n${json}Content-Length: ${body.length}\r\n\r\n`;
    const socket = connect(Number(new URL(url()).port), '127.0.0.1');
    await new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.write(head + body, resolve);
    });
    const [said] = await once(socket, 'data');
    expect(statusOf(String(said))).to.equal(413);
    await once(socket, 'close');
  });

  for (const [target, status] of [
    ['PUT /user/email-updates/', 401],
    ['POST /', 405],
  ] as const) {
    it(`keeps the connection if a small body is not read: ${target}`, async () => {
      const one = `${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody`;
      const said = await rawRequest(url(), one + one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      expect(said.match(/HTTP\/1.1 \d+/g)).to.deep.equal([`HTTP/1.1 ${status}`, `HTTP/1.1 ${status}`]);
    });
  }

  describe('that expects 100 Continue', () => {
    const expecting = (target: string, rest: string) =>
      `${target} HTTP/1.1\r\nHost: x\r\n${json}Expect: 100-continue\r\n${rest}\r\n`;

    it('gets its final answer immediately if the body is not needed', async () => {
      for (const [head, status] of [
        [expecting('POST /q/playground', `Content-Length: ${ANNOUNCED}\r\n`), 413],
        [expecting('PUT /user/email-updates/', 'Content-Length: 10\r\n'), 401],
        [expecting('POST /', 'Transfer-Encoding: chunked\r\n'), 405],
      ] as const) {
        const said = await rawRequest(url(), head);
        expect(statusOf(said)).to.equal(status);
        expect(said).to.include('\r\nConnection: close\r\n');
      }
    });

    it('gets 100 Continue if the body is needed', async () => {
      await waitForPlayground(shared.demo);
      const body = JSON.stringify({ sql: 'SELECT 1 AS one' });
      const head = expecting('POST /q/playground', `Connection: close\r\nContent-Length: ${body.length}\r\n`);
      const said = await rawRequest(url(), head + body);
      expect(said).to.match(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
    });
  });
});
