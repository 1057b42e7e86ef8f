import { enumOrNull, exactObject } from '../../engine/http/json-schema.js';
import type { PersonalOperation } from '../../engine/http/operations/operation.js';
import type { Database } from '../../engine/index.js';
import { ERROR_TYPES } from '../../explorer/questions/error-types.js';
import { STATUSES } from '../../explorer/questions/question.js';
import { CURSOR_PATTERN, listUserQuestions, MAX_PAGE } from '../../explorer/questions/user-questions.js';

/** `GET /user/questions/` lists the questions of the signed-in user. */
export function userQuestionsOperation(database: Database): PersonalOperation {
  return {
    access: 'signed-in',
    tag: 'User',
    id: 'list-user-questions',
    method: 'get',
    path: '/user/questions/',
    summary: 'Lists the questions of the signed-in user, newest first',
    parameters: PARAMETERS,
    answer: exactObject('UserQuestions', {
      questions: { type: 'array', items: QUESTION },
      nextCursor: { type: ['string', 'null'], description: '`cursor` of the next page; null on the last page.' },
    }),
    handle: async ({ caller, parameters: { n, cursor } }) => ({
      body: await listUserQuestions(database, caller.id, {
        n: Number(n),
        cursor: cursor === null ? undefined : String(cursor),
      }),
    }),
  };
}

const PARAMETERS = {
  n: {
    in: 'query',
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE,
    default: 20,
    description: 'The maximum number of questions.',
    example: 5,
  },
  cursor: {
    in: 'query',
    type: 'string',
    maxLength: 60,
    pattern: CURSOR_PATTERN,
    description: '`nextCursor` of the previous page.',
    example: '1767225600_3f0c1c52-6a3e-4b7e-9d55-0a4f0e3c7b21',
  },
} as const;

const QUESTION = exactObject('UserQuestion', {
  id: { type: 'string', format: 'uuid' },
  title: { type: 'string', description: 'The question.' },
  status: { type: 'string', enum: STATUSES },
  createdAt: { type: 'string', format: 'date-time' },
  finishedAt: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the question got its final status; null before that.',
  },
  errorType: {
    ...enumOrNull(ERROR_TYPES),
    description: 'Why the question has no answer; null if it has one or is in progress.',
  },
});
