import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type DemoService, startDemoService, tokenOf } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';
import { rawRequest } from './raw-request.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const GOOD = '{"enable":true}';

describe('hostile requests', () => {
  let demo: DemoService;
  let token: string;
  before(async () => {
    demo = await startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS });
    token = await tokenOf('ada');
  });
  after(() => demo.close());

  const put = async (body: RequestInit['body'], headers: Record<string, string> = JSON_TYPE) => {
    const init: RequestInit = { method: 'PUT', headers, ...(body && { body, duplex: 'half' }) };
    const response = await demo.as('ada', '/user/email-updates/', init);
    const { code, detail, errors } = (await response.json()) as { code?: string; detail?: string; errors?: unknown[] };
    return { status: response.status, code, detail, errors };
  };
  const zipped = (text: string | Buffer) => new Uint8Array(gzipSync(text));

  const bodies: Record<string, readonly [() => RequestInit['body'], Record<string, string>, number, string]> = {
    nothing: [() => undefined, JSON_TYPE, 400, 'bad_body'],
    'an empty text': [() => '', JSON_TYPE, 400, 'bad_body'],
    'no JSON': [() => '{"enable":', JSON_TYPE, 400, 'bad_body'],
    'no object': [() => '[true]', JSON_TYPE, 400, 'bad_body'],
    null: [() => 'null', JSON_TYPE, 400, 'bad_body'],
    'a value of another type': [() => '{"enable":"true"}', JSON_TYPE, 400, 'bad_body'],
    'an unknown key': [() => '{"enable":true,"isTrusted":true}', JSON_TYPE, 400, 'bad_body'],
    'a key __proto__': [() => '{"enable":true,"__proto__":{"polluted":1}}', JSON_TYPE, 400, 'bad_body'],
    'a key __proto__ alone': [() => '{"__proto__":{"enable":true}}', JSON_TYPE, 400, 'bad_body'],
    'a constructor': [() => '{"enable":true,"constructor":{"prototype":{"x":1}}}', JSON_TYPE, 400, 'bad_body'],
    'bytes that are not UTF-8': [
      () => new Uint8Array([...Buffer.from('{"a":"'), 0xff, 0x22, 0x7d]),
      JSON_TYPE,
      400,
      'bad_body',
    ],
    '30,000 nested lists': [() => '['.repeat(30_000) + ']'.repeat(30_000), JSON_TYPE, 400, 'bad_body'],
    '10,000 nested objects': [() => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, JSON_TYPE, 400, 'bad_body'],
    'a number without end': [() => `{"enable":${'9'.repeat(90_000)}}`, JSON_TYPE, 400, 'bad_body'],
    'a form': [
      () => 'enable=true',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    'text that a form of another site could send': [
      () => GOOD,
      { 'Content-Type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    'JSON of another charset': [
      () => GOOD,
      { 'Content-Type': 'application/json; charset=utf-16' },
      415,
      'unsupported_media_type',
    ],
    'an unknown encoding': [
      () => GOOD,
      { ...JSON_TYPE, 'Content-Encoding': 'compress' },
      415,
      'unsupported_media_type',
    ],
    'what is not gzip': [() => GOOD, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 400, 'bad_body'],
    'more than may come': [() => `{"enable":true${' '.repeat(102_400)}}`, JSON_TYPE, 413, 'body_too_large'],
    'a body above the limit, in chunks': [() => chunks(200), JSON_TYPE, 413, 'body_too_large'],
    'a hundred megabytes, compressed to a hundred kilobytes': [
      () => zipped(Buffer.alloc(100_000_000, ' ')),
      { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
      413,
      'body_too_large',
    ],
  };
  for (const [what, [body, headers, status, code]] of Object.entries(bodies)) {
    it(`get ${status} ${code} for a body of ${what}`, async () => {
      const answer = await put(body(), headers);
      expect([answer.status, answer.code, answer.detail]).to.deep.equal([status, code, answer.detail]);
      expect(answer.detail).to.match(/^["A-Z/a-z].{5,400}$/s);
      expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
    });
  }

  it('get an answer with the maximum size of a body', async () => {
    const { detail } = await put(chunks(200));
    expect(detail).to.equal('The body exceeds the limit of 100kb.');
  });

  it('change nothing', async () => {
    expect(await (await demo.as('ada', '/user/email-updates/')).json()).to.deep.equal({ emailGetUpdates: false });
  });

  it('get an answer with only a few of their thousands of faults', async () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join(',');
    const { status, errors } = await put(`{"enable":true,${keys}}`);
    expect([status, errors?.length]).to.deep.equal([400, 20]);
  });

  it('differ from unusual valid requests', async () => {
    expect((await put(zipped(GOOD), { ...JSON_TYPE, 'Content-Encoding': 'gzip' })).status).to.equal(200);
    expect((await put(GOOD, { 'Content-Type': 'application/json; charset=UTF-8' })).status).to.equal(200);
    // If a key is repeated, the last value is used, as in `JSON.parse`.
    expect((await put('{"enable":true,"enable":false}')).status).to.equal(200);
    expect(await (await demo.as('ada', '/user/email-updates/')).json()).to.deep.equal({ emailGetUpdates: false });
  });

  it('do not keep a connection with a body or headers that never arrive', async () => {
    const start = `PUT /user/email-updates/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    const body = 'Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"ena';
    const ofAll = `POST /q/playground HTTP/1.1\r\nHost: x\r\n${body}`;
    const hasty = await startDemoService(
      { ENDPOINTS_DIR: FEW_ENDPOINTS },
      { timeouts: { headersMs: 1_000, requestMs: 1_500 } },
    );
    try {
      const requests = [`${start}${body}`, start, ofAll];
      const said = await Promise.all(requests.map((bytes) => rawRequest(hasty.service.url, bytes)));
      expect(said.map((text) => text.slice(0, 12))).to.deep.equal(requests.map(() => 'HTTP/1.1 408'));
    } finally {
      await hasty.close();
    }
  });

  it('without a credential are rejected before their body arrives', async () => {
    const start = 'PUT /user/email-updates/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    const said = await rawRequest(
      demo.service.url,
      `${start}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
    );
    expect(said).to.match(/^HTTP\/1\.1 401 /);
  });

  it('cannot smuggle a second request', async () => {
    const start =
      'PUT /user/email-updates/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n';
    const said = await rawRequest(demo.service.url, `${start}0\r\n\r\nGET /healthy/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(said).to.match(/^HTTP\/1\.1 400 /);
    expect(said.match(/HTTP\/1\.1 /g)).to.have.length(1);
  });

  it('cannot inject headers or log lines', async () => {
    const inject = encodeURIComponent('a\r\nSet-Cookie: evil=1\r\n\r\n<script>');
    const answers = [
      await rawRequest(
        demo.service.url,
        'GET /healthy/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a\r\n Set-Cookie: evil=1\r\n\r\n',
      ),
      await rawRequest(
        demo.service.url,
        'GET /healthy/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a\u001b[2J\r\n\r\n',
      ),
      await rawRequest(demo.service.url, `GET /${inject} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      await rawRequest(
        demo.service.url,
        `PUT /repos/${inject}/b/subscribe/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      ),
    ];
    for (const answer of answers) {
      expect(answer).to.match(/^HTTP\/1\.1 (200|400|404) /);
      expect(answer).to.not.match(/^Set-Cookie/im);
      expect(answer).to.not.include('\u001b');
    }
    for (const line of demo.log) {
      const { id = '', url = '' } = (line.req ?? {}) as { id?: string; url?: string };
      expect(`${id}${url}`).to.match(/^[\x21-\x7e]*$/);
    }
  });

  it('cannot reach other paths with dots and slashes', async () => {
    const paths = [
      '/user/../../etc/passwd',
      '/user/%2e%2e/%2e%2e/etc/passwd',
      '//etc/passwd',
      '/repos/..%2f..%2f/x/subscribe/',
    ];
    for (const path of paths) {
      const said = await rawRequest(
        demo.service.url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      expect(said, path).to.match(/^HTTP\/1\.1 (400|404|405) /);
    }
  });
});

function chunks(count: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ === count) controller.close();
      else controller.enqueue(new Uint8Array(1_000).fill(0x20));
    },
  });
}
