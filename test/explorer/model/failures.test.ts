import { expect } from 'chai';
import type { ModelFailure, ModelLimits } from '../../../explorer/model/model.js';
import { eventually } from '../../services/eventually.js';
import { type ModelReply, type ModelServer, startModelServer } from '../model-server.js';
import { ANSWER, allTextOf, createTestModel, Deadlines, failureOf, KEY, request } from './ask-model.js';

const NO_STREAM =
  'The answer of the model server is not a stream of chat completions. Check that MODEL_URL is the base URL of an ' +
  'OpenAI-compatible server, such as http://127.0.0.1:11434/v1.';

interface Case {
  readonly title: string;
  readonly reply: ModelReply;
  readonly failure: ModelFailure;
  readonly message: string;
  readonly requests: number;
  /** Whether the deadline expires when the server has received the request. */
  readonly isLate?: boolean;
  readonly limits?: Partial<ModelLimits>;
  /** The waits for the next part of the answer, which expire immediately. */
  readonly silencesMs?: readonly number[];
}

const CASES: readonly Case[] = [
  {
    title: 'a rejected key',
    reply: { status: 401, json: { error: { message: `Incorrect API key provided: ${KEY}` } } },
    failure: 'refused',
    message: 'The model server rejected the credentials (HTTP 401). Check MODEL_KEY.',
    requests: 1,
  },
  {
    title: 'a forbidden model',
    reply: { status: 403, text: `<h1>${KEY}</h1>` },
    failure: 'refused',
    message: 'The model server rejected the credentials (HTTP 403). Check MODEL_KEY.',
    requests: 1,
  },
  {
    title: 'an unknown model',
    reply: { status: 404, json: { error: { message: KEY, code: 'model_not_found' } } },
    failure: 'unreachable',
    message: 'The model server does not know the address or the model (HTTP 404). Check MODEL_URL and MODEL_NAME.',
    requests: 1,
  },
  {
    title: 'a content filter before the answer',
    reply: { status: 400, json: { error: { message: KEY, code: 'content_filter' } } },
    failure: 'refused',
    message: 'The content filter of the model server rejected the request.',
    requests: 1,
  },
  {
    title: 'a content filter within the answer',
    reply: { answer: KEY, finish: 'content_filter' },
    failure: 'refused',
    message: 'The content filter of the model server stopped the answer.',
    requests: 1,
  },
  {
    title: 'a model that declines',
    reply: { declines: `I cannot help with ${KEY}` },
    failure: 'refused',
    message: 'The language model declined to answer this question.',
    requests: 1,
  },
  {
    title: 'a server that always fails',
    reply: { status: 500, text: KEY },
    failure: 'unreachable',
    message: 'The model server failed (HTTP 500).',
    requests: 3,
  },
  {
    title: 'a server that does not implement the method',
    reply: { status: 501, text: KEY },
    failure: 'unreachable',
    message: 'The model server failed (HTTP 501).',
    requests: 1,
  },
  {
    title: 'a rate limit beyond the time limit',
    reply: { status: 429, headers: { 'retry-after': '3600' }, json: { error: { message: KEY } } },
    failure: 'rate_limited',
    message: 'The model server limits the rate of requests (HTTP 429).',
    requests: 1,
  },
  {
    title: 'a rate limit that does not end',
    reply: { status: 429, headers: { 'retry-after': '0' } },
    failure: 'rate_limited',
    message: 'The model server limits the rate of requests (HTTP 429).',
    requests: 3,
  },
  {
    title: 'a connection that ends before the answer',
    reply: { disconnect: 'before-headers' },
    failure: 'unreachable',
    message: 'The model server cannot be reached: UND_ERR_SOCKET. Check that it runs at MODEL_URL.',
    requests: 3,
  },
  {
    title: 'a connection that ends within the answer',
    reply: { answer: ANSWER, middle: 'disconnect', pieceLength: 4 },
    failure: 'unreachable',
    message: 'The model server cannot be reached: UND_ERR_SOCKET. Check that it runs at MODEL_URL.',
    requests: 3,
  },
  {
    title: 'a server that stalls before its answer',
    reply: { stall: 'before-headers' },
    failure: 'unreachable',
    message: 'The model server did not finish its answer within 600 seconds.',
    requests: 1,
    isLate: true,
  },
  {
    title: 'a server that stalls within its answer',
    reply: { answer: ANSWER, middle: 'stall', pieceLength: 4 },
    failure: 'unreachable',
    message: 'The model server sent no data for 600 seconds in its answer.',
    requests: 1,
    silencesMs: [600_000],
  },
  {
    title: 'a server that streams too slowly',
    reply: { answer: ANSWER, middle: 'stall', pieceLength: 4 },
    failure: 'unreachable',
    message: 'The model server did not finish its answer within 600 seconds.',
    requests: 1,
    isLate: true,
  },
  {
    title: 'an answer that the server truncated',
    reply: { answer: '{"sql": "SELECT', finish: 'length' },
    failure: 'invalid_output',
    message: 'The answer of the language model is longer than its limit of 6000 tokens.',
    requests: 1,
  },
  {
    title: 'an answer of 30 MB',
    reply: { flood: 'content', bytes: 30_000_000 },
    failure: 'invalid_output',
    message: 'The answer of the language model is longer than its limit of 6000 tokens.',
    requests: 1,
  },
  {
    title: 'a line of 30 MB',
    reply: { flood: 'line', bytes: 30_000_000 },
    failure: 'invalid_output',
    message: 'The answer of the model server is larger than 1000000 bytes.',
    requests: 1,
    limits: { maxBytes: 1_000_000 },
  },
  {
    title: 'an error page of 30 MB',
    reply: { flood: 'error', bytes: 30_000_000 },
    failure: 'unreachable',
    message: 'The model server failed (HTTP 500).',
    requests: 3,
    limits: { maxBytes: 1_000_000 },
  },
  {
    title: 'a compressed answer that is large',
    reply: { lines: ['data: '.padEnd(5_000_000, 'x')], compressed: true },
    failure: 'invalid_output',
    message: 'The answer of the model server is larger than 1000000 bytes.',
    requests: 1,
    limits: { maxBytes: 1_000_000 },
  },
  {
    title: 'an HTML page instead of an answer',
    reply: { status: 200, text: `<!doctype html><title>${KEY}</title>` },
    failure: 'invalid_output',
    message: NO_STREAM,
    requests: 1,
  },
  {
    title: 'a stream of invalid JSON',
    reply: { lines: [`data: {"choices": ${KEY}`, ''] },
    failure: 'invalid_output',
    message: 'The answer of the model server is not valid JSON.',
    requests: 1,
  },
  {
    title: 'a stream with events of another API, which the client library would print',
    reply: { lines: ['event: thread.message', `data: {${KEY}`, ''] },
    failure: 'invalid_output',
    message: NO_STREAM,
    requests: 1,
  },
  {
    title: 'a stream of other JSON',
    reply: {
      lines: [
        'data: null',
        '',
        'data: 7',
        '',
        'data: {"choices": [{"delta": {"content": {"a": 1}}}]}',
        '',
        'data: []',
        '',
      ],
    },
    failure: 'invalid_output',
    message: 'The answer of the language model has the wrong form: the answer must be one JSON object.',
    requests: 2,
  },
  {
    title: 'an error within the stream',
    reply: { lines: [`data: {"error": {"message": "${KEY}"}}`, ''] },
    failure: 'unreachable',
    message: 'The model server reported an error within its answer.',
    requests: 3,
  },
  {
    title: 'an error within the stream with a known code',
    reply: { lines: [`data: {"error": {"message": "${KEY}", "type": "${KEY}", "code": "rate_limit_exceeded"}}`, ''] },
    failure: 'unreachable',
    message: 'The model server reported an error within its answer: rate_limit_exceeded.',
    requests: 3,
  },
  {
    title: 'an error within the stream that another attempt does not change',
    reply: { lines: ['data: {"error": {"message": "", "code": "context_length_exceeded"}}', ''] },
    failure: 'unreachable',
    message: 'The model server reported an error within its answer: context_length_exceeded.',
    requests: 1,
  },
  {
    title: 'an error within the stream with a status',
    reply: { lines: ['data: {"error": {"message": "", "code": 502}, "choices": []}', ''] },
    failure: 'unreachable',
    message: 'The model server reported an error within its answer: 502.',
    requests: 3,
  },
];

describe('a failed request to a model', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  for (const { title, reply, failure, message, requests, isLate = false, limits, silencesMs } of CASES) {
    it(`names its reason and contains no text of the server: ${title}`, async () => {
      server = await startModelServer({ otherwise: reply });
      const deadlines = new Deadlines();
      const silences: number[] = [];
      const silence = async (ms: number) => silences.push(ms);
      const timers = { ...deadlines.timers, ...(silencesMs && { silence }) };
      const options = { timers, ...(limits && { limits }) };
      const asked = failureOf(createTestModel(server.url, options).ask(request()));
      if (isLate) {
        await eventually(() => server.requests.length === 1 && ('stall' in reply || server.sentBytes > 0));
        deadlines.end(0);
      }
      const error = await asked;
      // There is a single deadline for all parts of an answer and all retries.
      expect(deadlines.count).to.equal(1);
      expect([error.failure, error.message, server.requests.length]).to.deep.equal([failure, message, requests]);
      expect(silences).to.deep.equal(silencesMs ?? []);
      expect(allTextOf(error)).not.to.contain(KEY);
      // The client must close its connection, because the server would otherwise continue to send.
      await eventually(() => server.concurrent === 0);
      expect(server.sentBytes).to.be.below(20_000_000);
    });
  }

  it('names its reason if too few tokens are left for another attempt', async () => {
    server = await startModelServer({ otherwise: { lines: ['data: {"error": {"code": "server_error"}}', ''] } });
    const error = await failureOf(createTestModel(server.url).ask(request({ maxTokens: 300 })));
    expect([error.failure, error.message, server.requests.length]).to.deep.equal([
      'unreachable',
      'The model server reported an error within its answer: server_error.',
      1,
    ]);
  });

  it('is repeated if the failure is temporary', async () => {
    server = await startModelServer();
    server.reply({ status: 503 }, { answer: ANSWER, middle: 'disconnect' }, { answer: ANSWER });
    expect((await createTestModel(server.url).ask(request())).value).to.deep.equal(ANSWER);
    expect(server.requests).to.have.length(3);
  });

  it('is repeated after the time that a rate limit states', async () => {
    server = await startModelServer();
    server.reply({ status: 429, headers: { 'retry-after': '60' } }, { answer: ANSWER });
    const pauses: number[] = [];
    const pause = async (ms: number) => pauses.push(ms);
    const model = createTestModel(server.url, { timers: { pause } });
    expect((await model.ask(request())).value).to.deep.equal(ANSWER);
    expect(pauses).to.have.length(1);
    expect(pauses[0]).to.be.within(60_000, 60_001);
  });

  it('states that no server runs at the address', async () => {
    const { url, close } = await startModelServer();
    await close();
    server = await startModelServer();
    const error = await failureOf(createTestModel(url).ask(request()));
    expect([error.failure, error.message]).to.deep.equal([
      'unreachable',
      'The model server cannot be reached: ECONNREFUSED. Check that it runs at MODEL_URL.',
    ]);
  });

  it('does not follow a redirect, so that another host gets neither the key nor the question', async () => {
    const other = await startModelServer({ otherwise: { answer: ANSWER } });
    try {
      server = await startModelServer();
      for (const status of [301, 302, 307, 308]) {
        server.reply({ status, headers: { location: `${other.url}/chat/completions` }, text: KEY });
        const error = await failureOf(createTestModel(server.url).ask(request()));
        expect([error.failure, error.message]).to.deep.equal([
          'unreachable',
          `The model server answered with a redirect (HTTP ${status}), which is not followed. Set MODEL_URL to the final address.`,
        ]);
      }
      expect(other.requests).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });

  it('ends with the reason of the caller, who can cancel at any time', async () => {
    for (const reply of [{ stall: 'before-headers' }, { answer: ANSWER, middle: 'stall' }, { status: 500 }] as const) {
      server = await startModelServer({ otherwise: reply });
      const cancel = new AbortController();
      const model = createTestModel(server.url, {
        limits: { retryDelayMs: 60_000, silenceMs: 60_000 },
        timeoutMs: 600_000,
      });
      const asked = model.ask(request({ signal: cancel.signal })).catch((error: unknown) => error);
      await eventually(() => server.requests.length === 1);
      cancel.abort(new Error('cancelled by the user'));
      expect(await asked).to.have.property('message', 'cancelled by the user');
      await eventually(() => server.concurrent === 0);
      if (!('status' in reply)) await server.close();
    }
  });
});

describe('the key of a model', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  it('is replaced in answers, also if escape sequences hide it', async () => {
    server = await startModelServer();
    const escaped = [...KEY].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    server.reply({ answer: `{"sql": "SELECT '${KEY}'", "count": 1}` }, { answer: `{"sql": "${escaped}", "count": 1}` });
    const model = createTestModel(server.url);
    expect(await model.ask(request())).to.deep.include({
      value: { sql: "SELECT '…'", count: 1 },
      text: '{"sql":"SELECT \'…\'","count":1}',
    });
    expect(await model.ask(request())).to.deep.include({
      value: { sql: '…', count: 1 },
      text: '{"sql":"…","count":1}',
    });
  });

  it('is replaced in the text around the JSON of an answer', async () => {
    server = await startModelServer();
    server.reply({ answer: `Your key is ${KEY}. ${JSON.stringify(ANSWER)}`, pieceLength: 5 });
    expect(await createTestModel(server.url).ask(request())).to.deep.include({
      value: ANSWER,
      text: `Your key is …. ${JSON.stringify(ANSWER)}`,
    });
  });
});
