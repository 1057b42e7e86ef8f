import type { Operation, OperationRequest, Reply, ServerEvent } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { limitSignal } from '../../engine/index.js';
import type { Explorer, QuestionProgress } from '../../explorer/explorer.js';
import { isFinal } from '../../explorer/questions/question.js';
import { ASK_ERRORS, throwAskError } from './ask-errors.js';
import { QUESTION_PARAMETER, questionBody } from './question-parameter.js';
import { QUESTION } from './question-schema.js';

export interface QuestionParts {
  readonly explorer: Explorer;
  /** The clock for data, which `NOW` can fix. */
  readonly clock: () => Date;
  readonly staleAfterMs: number;
}

/** The operations for asking a question, following its progress and cancelling it. */
export function questionOperations(parts: QuestionParts): Operation[] {
  return [askOperation(parts), readOperation(parts), cancelOperation(parts)];
}

function askOperation({ explorer, clock, staleAfterMs }: QuestionParts): Operation {
  return {
    ...COMMON,
    access: 'signed-in',
    acceptsKeys: true,
    id: 'ask-question',
    method: 'post',
    path: '/explorer/questions/',
    summary: 'Asks a question and returns its record at once',
    description:
      'The question is answered in the background: read its record until its status is final. An equal question that ' +
      'was answered within 7 days gives its answer at once, unless `ignoreCache` is set. A user may ask 15 questions ' +
      'per hour, and two at the same time.',
    body: requestSchema('question'),
    errors: ASK_ERRORS,
    handle: async ({ body, caller, now }) => {
      const { question: text, ignoreCache = false } = body as { question: string; ignoreCache?: boolean };
      const question = await explorer.ask({ user: caller, text, ignoreCache, now }).catch(throwAskError);
      const progress = isFinal(question.status) ? undefined : await explorer.read(question.id);
      const { queuePreceding = 0 } = progress ?? {};
      return { body: questionBody({ question, queuePreceding }, clock(), staleAfterMs) };
    },
  };
}

function readOperation({ explorer, clock, staleAfterMs }: QuestionParts): Operation {
  return {
    ...COMMON,
    access: 'open',
    isPrivate: true,
    id: 'get-question',
    method: 'get',
    path: '/explorer/questions/{questionId}/',
    summary: 'Returns a question with its answer',
    description:
      'With `Accept: text/event-stream`, the answer is a stream of `question` events, one per change of the question, ' +
      'which ends with the final status.',
    parameters: QUESTION_PARAMETER,
    otherTypes: ['text/event-stream'],
    errors: ['question_not_found', ...DATABASE_ERRORS],
    handle: (request) => readQuestion(explorer, request, (progress) => questionBody(progress, clock(), staleAfterMs)),
  };
}

function cancelOperation({ explorer, clock, staleAfterMs }: QuestionParts): Operation {
  return {
    ...COMMON,
    access: 'signed-in',
    id: 'cancel-question',
    method: 'post',
    path: '/explorer/questions/{questionId}/cancel/',
    summary: 'Cancels a question of the signed-in user',
    description: 'A question with a final status stays unchanged.',
    parameters: QUESTION_PARAMETER,
    errors: ['question_not_found'],
    handle: async ({ parameters, caller }) => {
      const id = String(parameters.questionId);
      const question = await explorer.cancel(id, caller.id);
      if (question === undefined) throw notFound(id, ' that you asked');
      return { body: questionBody({ question, queuePreceding: 0 }, clock(), staleAfterMs) };
    },
  };
}

const COMMON = { tag: 'Explorer', answer: QUESTION } as const;

async function readQuestion(
  explorer: Explorer,
  { parameters, http, signal }: OperationRequest,
  describe: (progress: QuestionProgress) => unknown,
): Promise<Reply> {
  const id = String(parameters.questionId);
  const progress = await explorer.read(id);
  if (progress === undefined) throw notFound(id);
  if (http.accepts(['json', 'text/event-stream']) !== 'text/event-stream') {
    return { body: describe(progress), vary: 'Accept' };
  }
  return { events: changes(explorer, id, signal, describe), vary: 'Accept' };
}

async function* changes(
  explorer: Explorer,
  id: string,
  signal: AbortSignal,
  describe: (progress: QuestionProgress) => unknown,
): AsyncGenerator<ServerEvent> {
  const limited = limitSignal([signal], MAX_STREAM_MS);
  try {
    for await (const progress of explorer.follow(id, limited.signal)) {
      yield { name: 'question', data: describe(progress) };
    }
  } finally {
    limited.end();
  }
}

/** The event stream is closed after this time; clients then reconnect. */
const MAX_STREAM_MS = 300_000;

function notFound(id: string, which = ''): HttpProblem {
  return new HttpProblem('question_not_found', `There is no question ${id}${which}.`);
}
