import { exactObject } from '../../engine/http/json-schema.js';
import type { PersonalOperation, PersonalRequest, Reply } from '../../engine/http/operations/operation.js';
import { HttpProblem, type ProblemCode } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { EngineError, limitSignal } from '../../engine/index.js';
import { writeSqliteFile } from '../../explorer/answers/sqlite-file.js';
import type { Explorer } from '../../explorer/explorer.js';
import type { ErrorType } from '../../explorer/questions/error-types.js';
import { isFinal, type Question } from '../../explorer/questions/question.js';
import { ASK_ERRORS, throwAskError } from './ask-errors.js';
import { resultBody } from './question-parameter.js';
import { CHART, DEFINITION, RESULT } from './question-schema.js';
import type { QuestionParts } from './questions.js';

/** `POST /explorer/answer/` asks a question and waits for its answer. */
export function answerOperation({ explorer, clock, staleAfterMs }: QuestionParts, waitMs: number): PersonalOperation {
  return {
    access: 'signed-in',
    acceptsKeys: true,
    tag: 'Explorer',
    id: 'answer-question',
    method: 'post',
    path: '/explorer/answer/',
    summary: 'Asks a question and waits for its answer',
    description:
      'With the format `sqlite`, the answer is a SQLite file with one table `result`; the header `X-Result-Truncated` ' +
      'states whether the query has more rows. A query without rows is an answer with the error type `error-empty-result`.',
    body: requestSchema('answer'),
    answer: ANSWER,
    otherTypes: [SQLITE],
    errors: [...ASK_ERRORS, ...Object.values(CODE_OF_ERROR), 'question_cancelled', 'query_timeout'],
    handle: async ({ body, caller, now, signal }) => {
      const { format = 'json', ...asked } = body as AskedQuestion & { readonly format?: 'json' | 'sqlite' };
      const question = await answerQuestion(explorer, waitMs, { ...asked, caller, now, signal });
      return format === 'sqlite' ? sqliteReply(question) : { body: answerBody(question, clock(), staleAfterMs) };
    },
  };
}

export interface AskedQuestion {
  readonly question: string;
  readonly ignoreCache?: boolean;
}

/** Asks a question and waits for its answer. Throws `HttpProblem` and `EngineError` for a question without an answer. */
export async function answerQuestion(
  explorer: Explorer,
  waitMs: number,
  {
    question: text,
    ignoreCache = false,
    caller,
    now,
    signal,
  }: AskedQuestion & Pick<PersonalRequest, 'caller' | 'now' | 'signal'>,
): Promise<Question> {
  const asked = await explorer.answer({ user: caller, text, ignoreCache, now }).catch(throwAskError);
  const question = isFinal(asked.status) ? asked : await waitForEnd(explorer, asked, signal, waitMs);
  requireAnswer(question);
  return question;
}

const SQLITE = 'application/vnd.sqlite3';

const STRING_OR_NULL = { type: ['string', 'null'] };

const ANSWER = exactObject('ExplorerAnswer', {
  question: exactObject('AnsweredQuestion', {
    id: { type: 'string' },
    title: { type: 'string' },
    revisedTitle: STRING_OR_NULL,
    notClear: { ...STRING_OR_NULL, description: 'What the question leaves open.' },
    assumption: { ...STRING_OR_NULL, description: 'What the answer assumes.' },
    hitCache: { type: 'boolean', description: 'Whether an earlier, equal question provides the answer.' },
    link: { type: 'string', description: 'The path of the record of the question.' },
    status: { type: 'string', enum: ['success', 'error'] },
    error: STRING_OR_NULL,
    errorType: STRING_OR_NULL,
  }),
  query: exactObject('AnsweredQuery', {
    sql: STRING_OR_NULL,
    spent: { type: ['number', 'null'], description: 'Duration of the query in seconds.' },
    engines: { type: 'array', items: { type: 'string', enum: ['catalogue', 'model'] } },
    definition: DEFINITION,
    executedAt: { ...STRING_OR_NULL, format: 'date-time', description: 'When the query began to run.' },
  }),
  result: RESULT,
  chart: CHART,
});

async function waitForEnd(
  explorer: Explorer,
  { id }: Question,
  signal: AbortSignal,
  waitMs: number,
): Promise<Question> {
  const limited = limitSignal([signal], waitMs);
  try {
    for await (const { question } of explorer.follow(id, limited.signal)) {
      if (isFinal(question.status)) return question;
    }
  } finally {
    limited.end();
  }
  const link = linkOf(id);
  if (!limited.signal.aborted) throw new EngineError('overloaded', `The service is stopping. Read ${link} later.`);
  throw new EngineError(
    'query_timeout',
    `The question was not answered within ${waitMs / 1000} s. Read ${link} later.`,
  );
}

/** The error codes of the response, by the error type of the question. */
const CODE_OF_ERROR: Readonly<Partial<Record<ErrorType, ProblemCode>>> = {
  'error-sql-can-not-answer': 'question_not_answerable',
  'error-answer-generate': 'model_unavailable',
  'error-answer-parse': 'answer_failed',
  'error-validate-sql': 'answer_failed',
  'error-query-execute': 'answer_failed',
  'error-unknown': 'internal_error',
};

function requireAnswer({ id, status, errorType, error, recommendedQuestions }: Question): void {
  if (status === 'success' || errorType === 'error-empty-result') return;
  const errors = [{ errorType, questionId: id, link: linkOf(id), recommendedQuestions }];
  if (status === 'cancel') throw new HttpProblem('question_cancelled', 'The question was cancelled.', { errors });
  const message = error ?? 'The question has no answer.';
  if (errorType === 'error-query-timeout') throw new EngineError('query_timeout', message);
  throw new HttpProblem((errorType && CODE_OF_ERROR[errorType]) ?? 'internal_error', message, { errors });
}

/** Creates the response body of `POST /explorer/answer/`. */
export function answerBody(question: Question, now: Date, staleAfterMs: number) {
  const { id, title, revisedTitle, notClear, assumption, hitCache, status, error, errorType } = question;
  const { querySQL: sql, spent, engines, definition, executedAt, result, chart } = question;
  const texts = { title, revisedTitle, notClear, assumption };
  return {
    question: { id, ...texts, hitCache, link: linkOf(id), status, error, errorType },
    query: { sql, spent, engines, definition, executedAt },
    result: resultBody(result ?? NO_RESULT, now, staleAfterMs),
    chart,
  };
}

const NO_RESULT = { fields: [], rows: [], truncated: false, notices: [], dataAsOf: null };

async function sqliteReply({ id, result }: Question): Promise<Reply> {
  const file = await writeSqliteFile(result ?? NO_RESULT);
  return {
    body: Buffer.from(file),
    type: SQLITE,
    headers: {
      'Content-Disposition': `attachment; filename="${id}.sqlite"`,
      'X-Question-Id': id,
      'X-Result-Truncated': String(result?.truncated ?? false),
    },
  };
}

function linkOf(id: string): string {
  return `/explorer/questions/${id}/`;
}
