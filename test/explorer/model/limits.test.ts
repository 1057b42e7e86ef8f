import { expect } from 'chai';
import { eventually } from '../../services/eventually.js';
import { type ModelServer, startModelServer } from '../model-server.js';
import { ANSWER, createTestModel, Deadlines, failureOf, request } from './ask-model.js';

describe('the limits of a model', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.close());

  it('allow four requests at the same time; others wait in their order', async () => {
    for (let count = 0; count < 4; count += 1) server.reply({ stall: 'before-headers' });
    for (let count = 0; count < 40; count += 1) server.reply({ answer: ANSWER });
    const model = createTestModel(server.url);
    const asked = Array.from({ length: 20 }, (_, index) => model.ask(request({ user: `question ${index}` })));
    await eventually(() => server.concurrent === 4);
    server.release();
    await Promise.all(asked);
    expect(server.maxConcurrent).to.equal(4);
    expect(new Set(server.requests.map(({ messages }) => messages[1]?.content)).size).to.equal(20);
  });

  it('reject a request that finds too many waiting, or waits too long, and release the place of a cancelled one', async () => {
    const deadlines = new Deadlines();
    server.reply({ stall: 'before-headers' });
    const { timers } = deadlines;
    const model = createTestModel(server.url, {
      timers,
      timeoutMs: 600_000,
      limits: { concurrency: 1, maxWaiting: 1 },
    });
    const running = failureOf(model.ask(request()));
    await eventually(() => server.requests.length === 1);
    const cancel = new AbortController();
    const cancelled = model.ask(request({ signal: cancel.signal })).catch((error: unknown) => error);
    const busy = await failureOf(model.ask(request()));
    expect([busy.failure, busy.message]).to.deep.equal([
      'rate_limited',
      'The language model is busy: 1 questions already wait for it.',
    ]);
    cancel.abort(new Error('cancelled'));
    expect(await cancelled).to.have.property('message', 'cancelled');
    const late = failureOf(model.ask(request()));
    deadlines.end(2);
    const { failure, message } = await late;
    expect([failure, message]).to.deep.equal([
      'rate_limited',
      'The language model is busy: it was not free for 600 seconds.',
    ]);
    deadlines.end(0);
    expect((await running).message).to.equal('The model server did not finish its answer within 600 seconds.');
    expect(server.requests).to.have.length(1);
  });

  it('reject a request whose prompt and answer exceed its tokens, before it is sent', async () => {
    const model = createTestModel(server.url);
    const { failure, message } = await failureOf(model.ask(request({ user: 'x'.repeat(3_000), maxTokens: 1_000 })));
    expect([failure, message]).to.deep.equal([
      'budget_used_up',
      'The question needs more than the 1000 tokens of the language model that one question may use.',
    ]);
    expect(server.requests).to.deep.equal([]);
  });

  it('give the answer only the tokens that the request has left', async () => {
    server.reply({ answer: 'nonsense', usage: { prompt_tokens: 500, completion_tokens: 100 } }, { answer: ANSWER });
    await createTestModel(server.url).ask(request({ maxTokens: 1_500 }));
    const limits = server.requests.map(({ body }) => Number(body.max_completion_tokens));
    expect(limits[0]).to.be.within(1_400, 1_480);
    expect(limits[1]).to.be.within(700, 880);
  });

  it('stop an answer of a server that ignores the limit of tokens', async () => {
    server.reply({ answer: 'x'.repeat(60_000), pieceLength: 1_000 });
    const { failure } = await failureOf(createTestModel(server.url).ask(request({ maxTokens: 1_000 })));
    expect(failure).to.equal('invalid_output');
    await eventually(() => server.concurrent === 0);
  });
});
