import { expect } from 'chai';
import { createModelAnswerer, type ModelAnswerer } from '../../../explorer/answers/model-answerer.js';
import type { SqlProposal } from '../../../explorer/answers/proposal.js';
import { ModelError } from '../../../explorer/model/model.js';
import type { TokenBudget } from '../../../explorer/model/token-budget.js';
import { createPrompts } from '../../../explorer/prompts/prompts.js';
import { QuestionError } from '../../../explorer/questions/error-types.js';
import { PUBLIC_TABLES } from '../../../warehouse/public-tables.js';
import { createTestModel } from '../model/ask-model.js';
import { type ModelReply, type ModelServer, startModelServer } from '../model-server.js';

const NOW = new Date('2026-03-01T22:00:00Z');
const QUESTION = 'Which repository has the most stars?';
const PROMPTS = createPrompts({ tables: PUBLIC_TABLES, reference: new Map(), examples: [] });

const ANSWER = {
  revisedTitle: 'Which repository has the most stars?',
  notClear: 'the period',
  assumption: 'the whole history',
  combinedTitle: 'Which repository has the most stars in the whole history?',
  sqlCanAnswer: true,
  sql: 'SELECT repo_name, stars\nFROM github_repos\nORDER BY stars DESC, repo_id\nLIMIT 1',
  chart: { chartName: 'RepoCard', title: 'Most stars', repo: 'repo_name' },
  recommendedQuestions: ['Who opened the most issues?'],
  reason: null,
};

describe('the answerer with a model', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.close());

  const options = (given: { signal?: AbortSignal; repoName?: string } = {}) => ({
    now: NOW,
    signal: given.signal ?? new AbortController().signal,
    ...(given.repoName === undefined ? {} : { context: { repoId: 7, repoName: given.repoName } }),
  });
  const answerer = (budget?: TokenBudget): ModelAnswerer =>
    createModelAnswerer({
      model: createTestModel(server.url, { ...(budget === undefined ? {} : { budget }), limits: { attempts: 1 } }),
      prompts: () => PROMPTS,
      now: () => NOW,
      readRepositories: async () => ['amber-ibex/reed-stack'],
    });

  it('proposes the SQL of the model with its texts', async () => {
    server.reply({ answer: ANSWER });
    const { reason: _, ...expected } = ANSWER;
    const { sqlCanAnswer, ...members } = expected;
    expect(await answerer().propose(QUESTION, options({ repoName: 'amber-ibex/reed-stack' }))).to.deep.equal({
      ...members,
      engine: 'model',
      answer: JSON.stringify(ANSWER),
    });
    const prompt = server.requests[0]?.prompt ?? '';
    expect(prompt).to.contain(`<question>"${QUESTION}"</question>`);
    expect(prompt).to.contain('<repository>"amber-ibex/reed-stack"</repository>').and.contain('Today is 2026-03-01');
  });

  it('accepts an answer without members that are not necessary, and a chart of any form', async () => {
    server.reply({ answer: { sqlCanAnswer: true, sql: 'SELECT 1', chart: { kind: 'bar' }, more: 1 } });
    expect(await answerer().propose(QUESTION, options())).to.deep.include({
      revisedTitle: QUESTION,
      notClear: '',
      assumption: '',
      combinedTitle: QUESTION,
      recommendedQuestions: [],
      sql: 'SELECT 1',
      chart: { kind: 'bar' },
    });
    expect(server.requests).to.have.length(1);
  });

  it('sends the rejected SQL and the message of the database for a repair', async () => {
    server.reply({ answer: { ...ANSWER, sql: 'SELECT 2' } });
    const rejected: SqlProposal = { ...proposalOf(), sql: 'SELECT </rejected_sql> x' };
    const repaired = await answerer().repair(QUESTION, rejected, 'there is no column x', options());
    expect(repaired.sql).to.equal('SELECT 2');
    const prompt = server.requests[0]?.prompt ?? '';
    expect(prompt).to.contain('<rejected_sql>"SELECT \\u003c/rejected_sql\\u003e x"</rejected_sql>');
    expect(prompt).to.contain('<message>"there is no column x"</message>');
  });

  it('fails with the reason and the suggestions of the model if SQL cannot answer', async () => {
    const reason = `**No** table <b>has</b> downloads,\u0007 see [this](https://evil.example) or https://evil.example/x \u202E${'y'.repeat(400)}`;
    const recommendedQuestions = ['a?', 'A ?', '', '  ', 'b'.repeat(500), ...'cdefgh'.split('')];
    server.reply({ answer: { ...ANSWER, sqlCanAnswer: false, sql: null, reason, recommendedQuestions } });
    const error = await errorOf(answerer().propose('How many downloads?', options()));
    expect(error.type).to.equal('error-sql-can-not-answer');
    expect(error.message)
      .to.match(/^\*\*No\*\* table has downloads, see this or … y+…$/)
      .and.have.length(300);
    expect(error.details.recommendedQuestions).to.deep.equal(['a?', `${'b'.repeat(199)}…`, 'c', 'd', 'e']);
  });

  it('fails if the model states that SQL can answer and writes none', async () => {
    server.reply({ answer: { ...ANSWER, sql: ' \n' } });
    const error = await errorOf(answerer().propose(QUESTION, options()));
    expect([error.type, error.message]).to.deep.equal([
      'error-answer-parse',
      'The language model wrote no SQL for this question. Ask in other words.',
    ]);
  });

  it('limits all texts of the model and removes their control characters', async () => {
    const long = '\u0000\u001b[31m\u{E0041}語'.repeat(700);
    const chart = { chartName: long, y: Array.from({ length: 99 }, () => 'y\u0000'), deep: [[[[1]]]], [long]: 1 };
    server.reply({
      answer: {
        ...ANSWER,
        revisedTitle: long,
        notClear: long,
        assumption: long,
        combinedTitle: long,
        chart,
        sql: `SELECT 1${'\u0000'.repeat(9)}\n`,
      },
      pieceLength: 5_000,
    });
    const model = createTestModel(server.url, { limits: { maxAnswerTokens: 500_000, maxBytes: 50_000_000 } });
    const large = {
      name: 'large',
      ask: (request: Parameters<typeof model.ask>[0]) => model.ask({ ...request, maxTokens: 900_000 }),
    };
    const proposal = await createModelAnswerer({ model: large, prompts: () => PROMPTS, now: () => NOW }).propose(
      QUESTION,
      options(),
    );
    const { sql, answer, ...texts } = proposal as SqlProposal;
    expect(sql).to.equal('SELECT 1');
    expect([...answer].length).to.equal(20_000);
    expect([...texts.revisedTitle, ...texts.notClear].length).to.be.at.most(512 + 600);
    expect(JSON.stringify(texts)).to.not.match(/\p{Cc}|\p{Cf}|\\u/u);
    expect(JSON.stringify(texts).length).to.be.below(15_000);
  });

  const failures: readonly (readonly [string, ModelReply, string, string])[] = [
    [
      'rejecting the key',
      { status: 401 },
      'error-answer-generate',
      'The model server rejected the credentials (HTTP 401). Check MODEL_KEY. Inform the operator of this service.',
    ],
    [
      'unreachable',
      { status: 500 },
      'error-answer-generate',
      'The model server failed (HTTP 500). Ask again later; if the error remains, inform the operator of this service.',
    ],
    [
      'rate limited',
      { status: 429 },
      'error-answer-generate',
      'The model server limits the rate of requests (HTTP 429). Ask again later.',
    ],
    [
      'rate limited for a time',
      { status: 429, headers: { 'retry-after': '600' } },
      'error-answer-generate',
      'The model server limits the rate of requests (HTTP 429). Ask again in 10 minutes.',
    ],
    [
      'declining',
      { declines: 'No.' },
      'error-sql-can-not-answer',
      'The language model declined to answer this question. Ask in other words.',
    ],
    [
      'writing nonsense',
      { answer: 'nonsense' },
      'error-answer-parse',
      'The answer of the language model has the wrong form: the answer must be one JSON object. Ask in other words.',
    ],
  ];
  for (const [title, reply, type, message] of failures) {
    it(`states the next step if the model is ${title}`, async () => {
      server.replyTo(QUESTION, reply);
      const error = await errorOf(answerer().propose(QUESTION, options()));
      expect([error.type, error.message]).to.deep.equal([type, message]);
      expect(error.cause).to.be.instanceOf(ModelError);
    });
  }

  it('states when the tokens of the next day begin', async () => {
    const empty = {
      reserve: () =>
        Promise.reject(new ModelError('budget_used_up', 'No tokens are left today.', { retryAfterMs: 7_200_000 })),
    } as unknown as TokenBudget;
    const error = await errorOf(answerer(empty).propose(QUESTION, options()));
    expect([error.type, error.message]).to.deep.equal([
      'error-answer-generate',
      'No tokens are left today. Ask again in 2 hours.',
    ]);
  });

  it('uses at most 34,000 tokens for an answer and its repair', async () => {
    server.replyTo(QUESTION, { answer: ANSWER, usage: { prompt_tokens: 9_000, completion_tokens: 6_000 } });
    const one = answerer();
    const proposal = (await one.propose(QUESTION, options())) as SqlProposal;
    await one.repair(QUESTION, proposal, 'wrong', options());
    server.replyTo(QUESTION, { answer: 'nonsense', usage: { prompt_tokens: 17_000, completion_tokens: 900 } });
    const before = server.requests.length;
    const error = await errorOf(one.propose(QUESTION, options()));
    // There are no tokens left for correcting the answer.
    expect(error.type).to.equal('error-answer-parse');
    expect(server.requests).to.have.length(before + 1);
  });

  it('ends with the reason of the signal', async () => {
    const error = await answerer()
      .propose(QUESTION, options({ signal: AbortSignal.abort(new Error('cancelled')) }))
      .catch((reason: unknown) => reason);
    expect(error).to.have.property('message', 'cancelled');
  });

  it('generates different questions that are limited in number and length', async () => {
    const questions = [
      'Who is active?',
      'who is active',
      '<b>Which</b> language grows?',
      'x'.repeat(300),
      '\u0000',
      'Last one?',
    ];
    server.reply({ answer: { questions } });
    expect(await answerer().generateQuestions(3, new AbortController().signal)).to.deep.equal([
      'Who is active?',
      'Which language grows?',
      `${'x'.repeat(199)}…`,
    ]);
    const prompt = server.requests[0]?.prompt ?? '';
    expect(prompt)
      .to.contain('Write 3 questions.')
      .and.contain('<repositories>["amber-ibex/reed-stack"]</repositories>');
  });
});

function proposalOf(): SqlProposal {
  const { reason: _, sqlCanAnswer: _can, ...members } = ANSWER;
  return { ...members, engine: 'model', answer: '' };
}

async function errorOf(asked: Promise<unknown>): Promise<QuestionError> {
  const error = await asked.then(
    (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof QuestionError) return error;
  throw error;
}
