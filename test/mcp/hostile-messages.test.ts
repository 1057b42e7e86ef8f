import { expect } from 'chai';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';

const META = {
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list-collections' } };
const called = (params: unknown) => ({ ...CALL, params });
const claims = (version: string) => ({
  ...CALL,
  params: { ...CALL.params, _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': version } },
});

interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** The first message of the answer. */
  readonly message: {
    readonly id?: unknown;
    readonly result?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

describe('hostile messages to /mcp', () => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS });
  });
  after(() => demo.close());

  const send = async (
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    method = 'POST',
  ): Promise<Received> => {
    const response = await fetch(`${demo.service.url}/mcp`, {
      method,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      ...(method === 'POST' && {
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    return { status: response.status, headers: response.headers, message: json === '' ? {} : JSON.parse(json) };
  };
  const outcome = ({ status, message: { error } }: Received) => [status, error?.code];

  /** Messages that must be rejected, with the status and the error code. */
  const REJECTED: readonly (readonly [label: string, body: unknown, status: number, code: number])[] = [
    ['a text that is not JSON', '{', 400, -32700],
    ['no body', '', 400, -32700],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, -32700],
    ['null', 'null', 400, -32600],
    ['a number', '5', 400, -32600],
    ['a text', '"a"', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a batch of null', '[null]', 400, -32600],
    ['a batch of batches', '[[]]', 400, -32600],
    ['a batch of 21 messages', Array.from({ length: 21 }, (_, id) => ({ ...CALL, id })), 400, -32600],
    ['40,000 levels of lists', '['.repeat(40_000) + ']'.repeat(40_000), 400, -32600],
    [
      '20,000 levels in an argument',
      JSON.stringify(called({ name: 'list-collections', arguments: { a: 0 } })).replace(
        '0',
        `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      ),
      400,
      -32600,
    ],
    ['a long id', { ...CALL, id: 'x'.repeat(300) }, 400, -32600],
    ['an id that is an object', { ...CALL, id: {} }, 400, -32600],
    ['an id that is null', { ...CALL, id: null }, 400, -32600],
    ['no version of JSON-RPC', { id: 1, method: 'tools/list' }, 400, -32600],
    ['a method that is a number', { ...CALL, method: 5 }, 400, -32600],
    ['parameters that are a list', called([]), 400, -32600],
    ['an unknown method', { ...CALL, method: 'nope' }, 200, -32601],
    ['a method without support', { ...CALL, method: 'prompts/list', params: {} }, 200, -32601],
    ['a tool name that is a number', called({ name: 5 }), 200, -32602],
    ['a tool name of JavaScript', called({ name: '__proto__' }), 200, -32602],
    ['a tool name of 50,000 characters', called({ name: 'x'.repeat(50_000) }), 200, -32602],
    ['arguments that are a list', called({ name: 'list-collections', arguments: [] }), 200, -32602],
    ['an unknown version of the protocol', claims('2099-01-01'), 400, -32022],
  ];
  for (const [label, body, status, code] of REJECTED) {
    it(`are rejected: ${label}`, async () => {
      const received = await send(body);
      expect(outcome(received)).to.deep.equal([status, code]);
      expect(received.message.error?.message).to.be.a('string').with.length.within(10, 600);
    });
  }

  it('are rejected with all supported versions for an unknown version, in the header or in the message', async () => {
    const supported = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
    for (const received of [
      await send(CALL, { 'MCP-Protocol-Version': '1999-01-01' }),
      await send(claims('1999-01-01')),
      await send(claims('1999-01-01'), { 'MCP-Protocol-Version': '2026-07-28' }),
    ]) {
      expect([received.status, received.message]).to.deep.equal([
        400,
        {
          jsonrpc: '2.0',
          error: {
            code: -32022,
            message: `Unsupported protocol version: 1999-01-01 (supported versions: ${supported.join(', ')})`,
            data: { supported, requested: '1999-01-01' },
          },
          id: 1,
        },
      ]);
    }
  });

  it('are rejected if another type than JSON is sent or accepted, or if they are too large', async () => {
    expect(outcome(await send('a', { 'Content-Type': 'text/plain' }))).to.deep.equal([415, -32700]);
    expect(outcome(await send(CALL, { Accept: 'text/html' }))).to.deep.equal([406, -32000]);
    expect((await send('x'.repeat(110_000))).status).to.equal(413);
  });

  it('are rejected with other methods than POST, because there are no sessions', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const received = await send(undefined, {}, method);
      expect(outcome(received), method).to.deep.equal([405, -32000]);
      expect(received.headers.get('allow')).to.equal('POST');
    }
  });

  it('cannot change the prototype of objects', async () => {
    const text = JSON.stringify(called({ name: 'list-collections', arguments: {} }));
    for (const [place, key] of [
      ['{}', '{"__proto__":{"page":1}}'],
      ['{}', '{"__proto__":null}'],
      ['{"name"', '{"__proto__":{"polluted":1},"name"'],
    ] as const) {
      const { status, message } = await send(text.replace(place, key));
      expect([status, message.error]).to.deep.equal([
        400,
        { code: -32600, message: 'A message has no key "__proto__".' },
      ]);
    }
    const { message } = await send(called({ name: 'list-collections', arguments: { constructor: 1 } }));
    expect(message.result?.isError).to.equal(true);
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it('of a cancellation without a running request have no effect', async () => {
    for (const requestId of [7, 'x', null, {}, undefined]) {
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
      const { status } = await send(cancelled, { 'Mcp-Session-Id': 'a session that does not exist' });
      expect(status).to.be.oneOf([202, 400]);
    }
    expect(
      (await send(CALL, { 'Mcp-Session-Id': 'a session that does not exist' })).message.result?.isError,
    ).to.not.equal(true);
  });

  it('of browsers are accepted only from pages of this machine', async () => {
    const expected = {
      'http://localhost:5173': 200,
      'http://127.0.0.1:80': 200,
      'http://[::1]:80': 200,
      'http://page.example': 403,
      'http://localhost.page.example': 403,
      null: 403,
      'not a url': 403,
    };
    expect(await statusesOf(demo, Object.keys(expected))).to.deep.equal(expected);
  });

  it('get no other answers than ordinary messages afterwards', async () => {
    const { status, message } = await send(CALL);
    expect([status, message.result?.isError ?? false]).to.deep.equal([200, false]);
    expect(demo.log.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
  });
});

/** Sends a message as a page of each origin. Returns the statuses. */
async function statusesOf({ service }: DemoService, origins: readonly string[]): Promise<Record<string, number>> {
  const common = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const { port } = new URL(service.url);
  const statuses = await Promise.all(
    origins.map(async (origin) => {
      const headers = { ...common, Origin: origin };
      const init = { method: 'POST', headers, body: JSON.stringify(CALL) };
      return [origin, (await fetch(`http://127.0.0.1:${port}/mcp`, init)).status] as const;
    }),
  );
  return Object.fromEntries(statuses);
}

describe('messages of browsers to /mcp', () => {
  const CASES: readonly (readonly [Readonly<Record<string, string>>, Readonly<Record<string, number>>])[] = [
    [{ CORS_ORIGIN: 'https://page.example' }, { 'https://page.example': 200, 'http://localhost:5173': 403 }],
    [{ HOST: '0.0.0.0' }, { 'https://page.example': 200 }],
  ];
  for (const [environment, expected] of CASES) {
    it(`are accepted only from allowed pages with ${JSON.stringify(environment)}`, async () => {
      const demo = await startDemoService({ ENDPOINTS_DIR: FEW_ENDPOINTS, ...environment });
      try {
        expect(await statusesOf(demo, Object.keys(expected))).to.deep.equal(expected);
      } finally {
        await demo.close();
      }
    });
  }
});
