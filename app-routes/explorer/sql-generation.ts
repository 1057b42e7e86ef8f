import { exactObject } from '../../engine/http/json-schema.js';
import type { PersonalOperation, PersonalRequest, Reply } from '../../engine/http/operations/operation.js';
import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { EngineError } from '../../engine/index.js';
import type { GeneratedSql } from '../../explorer/answers/generate-sql.js';
import type { QuestionContext } from '../../explorer/answers/proposal.js';
import { runWithin } from '../../explorer/questions/bounded-work.js';
import { type ErrorType, QuestionError } from '../../explorer/questions/error-types.js';
import { QuotaExceededError, type QuotaUse, type SqlQuota } from '../../explorer/questions/sql-quota.js';
import { throwIfRemoved } from '../sign-in/identify.js';
import { DEFINITION } from './question-schema.js';

/**
 * Generates SQL for a question. Throws `QuestionError`: `error-sql-can-not-answer` if the question cannot be answered, another type if the
 * service failed. The generation should stop when the signal aborts.
 */
export type GenerateSql = (
  question: string,
  context: QuestionContext | undefined,
  options: { readonly now: Date; readonly signal: AbortSignal },
) => Promise<GeneratedSql>;

/**
 * The operations for question to SQL and its quota. There are two pairs of paths, one for the bot and one for the playground. Both
 * operations do the same and share one quota. `timeoutMs` is the time limit of one generation.
 */
export function sqlGenerationOperations(
  quota: SqlQuota,
  generateSql: GenerateSql,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): PersonalOperation[] {
  const generate = (request: PersonalRequest) => generateWithinQuota(request, quota, generateSql, timeoutMs);
  return PATHS.flatMap(({ path, id, place }): PersonalOperation[] => [
    {
      ...COMMON,
      id,
      method: 'post',
      path,
      summary: `Generates SQL for a question, for ${place}`,
      description: 'The SQL does not run. A request does not count against the quota if the service fails.',
      body: requestSchema('question-to-sql'),
      answer: SQL,
      headers: QUOTA_HEADERS,
      errors: ['question_not_answerable', 'answer_failed', 'quota_exceeded', 'model_unavailable'],
      handle: generate,
    },
    {
      ...COMMON,
      id: `${id}-quota`,
      method: 'get',
      path: `${path}quota/`,
      summary: `Reports the quota of question to SQL, for ${place}`,
      answer: QUOTA,
      handle: async ({ caller, now }) => ({ body: await quota.read(caller, now) }),
    },
  ]);
}

const DEFAULT_TIMEOUT_MS = 90_000;

const PATHS = [
  { path: '/bot/questionToSQL/', id: 'question-to-sql', place: 'the bot' },
  { path: '/playground/sql/generate/', id: 'generate-playground-sql', place: 'the playground' },
] as const;

const COMMON = { access: 'signed-in', tag: 'Explorer' } as const;

const [LIMIT, USED] = ['x-playground-generate-sql-limit', 'x-playground-generate-sql-used'] as const;

const QUOTA_HEADERS = {
  [LIMIT]: 'Requests that the user may send per UTC day, over both paths.',
  [USED]: 'Requests that the user has sent on this UTC day, including this one.',
};

const QUOTA = exactObject('SqlQuota', {
  limit: { type: 'integer', minimum: 0, description: QUOTA_HEADERS[LIMIT] },
  used: { type: 'integer', minimum: 0, description: 'Requests that the user has sent on this UTC day.' },
});

const SQL = exactObject('GeneratedSql', {
  sql: { type: 'string', description: 'One SELECT over the public tables in the MySQL dialect.' },
  engine: { type: 'string', enum: ['catalogue', 'model'], description: 'Who wrote the SQL.' },
  definition: DEFINITION,
  revisedTitle: { type: 'string', description: 'The question as the service understood it.' },
  notClear: { type: 'string', description: 'What the question leaves open; empty if nothing.' },
  assumption: { type: 'string', description: 'What the SQL assumes; empty if nothing.' },
});

async function generateWithinQuota(
  { body, caller, now, signal }: PersonalRequest,
  quota: SqlQuota,
  generateSql: GenerateSql,
  timeoutMs: number,
): Promise<Reply> {
  const { question, context } = body as { question: string; context?: { repo_id: number; repo_name: string } };
  const repository = context && { repoId: context.repo_id, repoName: context.repo_name };
  const use = await quota.take(caller, now).catch(explainQuota);
  try {
    const { sql, engine, definition, revisedTitle, notClear, assumption } = await runWithin(
      { timeoutMs, signal },
      (stop) => generateSql(question, repository, { now, signal: stop }),
    );
    const answer = { sql, engine, definition, revisedTitle, notClear, assumption };
    return { body: answer, headers: headersOf(use) };
  } catch (error) {
    if (error instanceof QuestionError && error.type === 'error-sql-can-not-answer') throw notAnswerable(error, use);
    // The use is still counted. Otherwise a client could use the model without a quota by always disconnecting before the answer.
    if (signal.aborted) throw error;
    // If reverting the use fails, the original failure is still reported.
    const left = await quota.giveBack(caller, now).catch(() => use);
    if (error instanceof QuestionError && FAILED_ANSWERS.has(error.type)) throw failedAnswer(error, left);
    throw isModelFailure(error) ? unavailable(error, left) : error;
  }
}

function headersOf({ limit, used }: QuotaUse): Record<string, string> {
  return { [LIMIT]: String(limit), [USED]: String(used) };
}

function explainQuota(error: unknown): never {
  if (!(error instanceof QuotaExceededError)) return throwIfRemoved(error);
  const headers = { ...headersOf(error.use), 'Retry-After': String(error.retryAfterSeconds) };
  throw new HttpProblem('quota_exceeded', error.message, { headers });
}

function isModelFailure(error: unknown): boolean {
  return error instanceof QuestionError || (error instanceof EngineError && error.code === 'query_timeout');
}

function notAnswerable({ message, details }: QuestionError, use: QuotaUse): HttpProblem {
  const { recommendedQuestions = [] } = details;
  const similar = recommendedQuestions.map((question) => JSON.stringify(question)).join(', ');
  const text = similar === '' ? message : `${message} Similar questions that can be answered: ${similar}.`;
  return new HttpProblem('question_not_answerable', text, { headers: headersOf(use) });
}

/** Failures of the model itself, and not of the connection to it. */
const FAILED_ANSWERS: ReadonlySet<ErrorType> = new Set(['error-answer-parse', 'error-validate-sql']);

function failedAnswer({ message, type: errorType }: QuestionError, use: QuotaUse): HttpProblem {
  return new HttpProblem('answer_failed', message, { headers: headersOf(use), errors: [{ errorType }] });
}

function unavailable(error: unknown, use: QuotaUse): HttpProblem {
  const message = 'The SQL could not be generated because of a failure of the service. Try again later.';
  return new HttpProblem('model_unavailable', message, { headers: headersOf(use), cause: error });
}
