import { expect } from 'chai';
import type { ErrorType } from '../../../explorer/questions/error-types.js';
import { FEW_ENDPOINTS } from '../../service/few-endpoints.js';
import type { ModelReply } from '../model-server.js';
import {
  COUNT,
  type ExplorerService,
  modelQuestion,
  pathOf,
  startExplorerService,
  writesSql,
} from './explorer-service.js';

interface Failure {
  readonly title: string;
  readonly type: ErrorType;
  readonly reply: ModelReply;
  readonly status: number;
  readonly code: string;
  /** The start of the message. */
  readonly message: string;
}

const GENERATE = { type: 'error-answer-generate', status: 503, code: 'model_unavailable' } as const;
const FAILED = { status: 422, code: 'answer_failed' } as const;

const FAILURES: readonly Failure[] = [
  {
    title: 'the model cannot answer it',
    type: 'error-sql-can-not-answer',
    reply: { answer: { sqlCanAnswer: false, reason: 'No table has salaries.', recommendedQuestions: ['Who pushes?'] } },
    ...{ status: 422, code: 'question_not_answerable', message: 'No table has salaries.' },
  },
  {
    title: 'the model disconnects',
    ...GENERATE,
    reply: { disconnect: 'before-headers' },
    message: 'The model server cannot be reached: ',
  },
  {
    title: 'the model is rate limited',
    ...GENERATE,
    reply: { status: 429 },
    message: 'The model server limits the rate of requests (HTTP 429). Ask again ',
  },
  {
    title: 'the key is wrong',
    ...GENERATE,
    reply: { status: 401 },
    message: 'The model server rejected the credentials',
  },
  {
    title: 'the model declines',
    ...GENERATE,
    ...{ type: 'error-sql-can-not-answer', status: 422, code: 'question_not_answerable' },
    reply: { declines: 'I will not.' },
    message: 'The language model declined to answer this question. Ask in other words.',
  },
  {
    title: 'the answer of the model is not JSON',
    ...FAILED,
    type: 'error-answer-parse',
    reply: { answer: 'nonsense' },
    message:
      'The answer of the language model has the wrong form: the answer must be one JSON object. Ask in other words.',
  },
  {
    title: 'the guard rejects the SQL and its repair',
    ...FAILED,
    type: 'error-validate-sql',
    reply: writesSql('SELECT email FROM sys_users'),
    message: 'The model wrote SQL that is not allowed or wrong: there is no public table sys_users',
  },
  {
    title: 'the query fails while it runs',
    ...FAILED,
    type: 'error-query-execute',
    reply: writesSql('SELECT 9223372036854775807 + id AS n FROM github_events'),
    message: '',
  },
];

/** Defines the test of queries that fail, which depend on the database. */
export function queryErrorTests(explorer: ExplorerService): void {
  failureTests(
    explorer,
    FAILURES.filter(({ type }) => type === 'error-query-execute'),
  );
}

function failureTests(explorer: ExplorerService, failures: readonly Failure[]): void {
  for (const [index, { title, type, reply, status, code, message }] of failures.entries()) {
    it(`is ${type} if ${title}, and the answer is ${status} ${code}`, async () => {
      const question = modelQuestion(title);
      explorer.model.replyTo(question, reply);
      const answer = await explorer.send(`user-${index}`, 'POST', '/explorer/answer/', { question });
      const problem = answer.body as { code: string; detail: string; errors?: Record<string, unknown>[] };
      const { detail, errors } = problem;
      expect([answer.status, problem.code, detail]).to.deep.equal([status, code, detail]);
      expect(detail.slice(0, message.length)).to.equal(message);
      const [asked] = await questionsOf(explorer, `user-${index}`);
      const record = await explorer.read(asked?.id ?? '');
      expect(record).to.include({ status: 'error', errorType: type, error: detail });
      expect(record.finishedAt).to.be.a('string');
      expect(record).to.deep.include({ result: null, chart: null });
      const { id: questionId, recommendedQuestions } = record;
      expect(errors).to.deep.equal([{ errorType: type, questionId, link: pathOf(questionId), recommendedQuestions }]);
      expect(answer.headers.get('retry-after')).to.equal(status === 503 ? '5' : null);
    });
  }
}

export function errorTests(explorer: ExplorerService): void {
  failureTests(explorer, FAILURES);

  it('is error-empty-result if the query has no rows, which is an answer', async () => {
    const question = modelQuestion('empty');
    explorer.model.replyTo(question, writesSql('SELECT repo_id FROM github_repos WHERE 1 = 0'));
    const { status, body } = await explorer.send('emma', 'POST', '/explorer/answer/', { question });
    const { question: asked, result } = body as { question: Record<string, unknown>; result: Record<string, unknown> };
    expect(status).to.equal(200);
    expect(asked).to.include({
      status: 'error',
      errorType: 'error-empty-result',
      error: 'The query returned no rows.',
    });
    expect(result).to.deep.include({ fields: [{ name: 'repo_id', columnType: 'BIGINT' }], rows: [], truncated: false });
  });

  it('is error-validate-chart, with the rows, if the chart of the model does not fit them', async () => {
    const question = modelQuestion('chart');
    const chart = { chartName: 'PieChart', title: 'Languages', label: 'language', value: 'events' };
    explorer.model.replyTo(question, writesSql(COUNT, chart));
    const { status, body } = await explorer.send('finn', 'POST', '/explorer/answer/', { question });
    const { question: asked, result } = body as { question: { id: string }; result: { rows: unknown[] } };
    expect(status).to.equal(200);
    expect(asked).to.include({ status: 'success', errorType: 'error-validate-chart' });
    expect(result.rows).to.have.length(1);
    const record = await explorer.read(asked.id);
    expect(record.chart?.chartName).to.equal('NumberCard');
    expect(record.error).to.match(/^The model proposed a chart that does not fit the result: .*language/);
  });

  it('is error-question-too-long for more than 512 characters, and no question is stored', async () => {
    const question = `${'😀'.repeat(512)}?`;
    for (const path of ['/explorer/questions/', '/explorer/answer/']) {
      const { status, body } = await explorer.send('gina', 'POST', path, { question });
      const reason = 'The question has 513 characters; at most 512 are allowed. Ask a shorter question.';
      expect(status).to.equal(400);
      expect(body).to.deep.include({
        code: 'question_too_long',
        detail: reason,
        errors: [{ errorType: 'error-question-too-long', reason }],
      });
    }
    expect(await questionsOf(explorer, 'gina')).to.deep.equal([]);
  });

  it('is error-unknown for a fault of the service, whose cause is only in the log', async () => {
    const question = modelQuestion('damaged');
    explorer.model.replyTo(question, writesSql(COUNT));
    const { id } = await explorer.ask('hugo', question);
    await explorer.waitFor(id, 'success');
    // Puts the question back in the queue without SQL, so that its worker fails.
    await explorer.demo.state.transaction(async (tables) => {
      const [[record] = []] = await tables.rows('SELECT record FROM explorer_questions WHERE id = :p1', [id]);
      const stored = JSON.parse(String(record)) as { readonly details: object };
      const damaged = JSON.stringify({ ...stored, details: { ...stored.details, querySQL: null } });
      await tables.run(
        "UPDATE explorer_questions SET status = 'waiting', record = :p1, result = NULL, place = 0, finished_at = NULL WHERE id = :p2",
        [damaged, id],
      );
    });
    await explorer.ask('hugo', `${question} again`);
    const record = await explorer.waitForEnd(id);
    expect(record).to.include({
      status: 'error',
      errorType: 'error-unknown',
      error: 'The service failed to answer this question. The log contains the cause under the id of the question.',
    });
    const lines = explorer.demo.log.filter(({ question }) => question === id);
    expect(JSON.stringify(lines)).to.contain('neither a definition nor SQL');
  });
}

/** Defines the test of a limit that needs a service with other settings. */
export function tokenLimitTest(): void {
  it('is error-answer-generate if the tokens of the day are used up', async () => {
    const other = await startExplorerService({ ENDPOINTS_DIR: FEW_ENDPOINTS, MODEL_TOKENS_PER_DAY: '100' });
    try {
      const { status, body } = await other.send('jan', 'POST', '/explorer/answer/', {
        question: modelQuestion('none'),
      });
      expect([status, (body as { code: string }).code]).to.deep.equal([503, 'model_unavailable']);
      expect((body as { detail: string }).detail).to.match(
        /^The language model has a limit of 100 tokens per day \(UTC\), and too few are left today\. /,
      );
      expect(other.model.requests).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });
}

async function questionsOf(
  explorer: ExplorerService,
  login: string,
): Promise<{ readonly id: string; readonly errorType: string | null }[]> {
  const { body } = await explorer.send(login, 'GET', '/user/questions/');
  return (body as { questions: { id: string; errorType: string | null }[] }).questions;
}
