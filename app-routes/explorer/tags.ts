import { exactObject } from '../../engine/http/json-schema.js';
import type { OpenOperation, Operation, PersonalOperation } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { type QuestionTags, TagNotFoundError } from '../../explorer/questions/tags.js';
import { QUESTION_PARAMETER, throwIfAbsent } from './question-parameter.js';

/** The operations for all available tags, and for the tags of one question. */
export function tagOperations(tags: QuestionTags): Operation[] {
  return [...readOperations(tags), setOperation(tags)];
}

function readOperations(tags: QuestionTags): OpenOperation[] {
  return [
    {
      ...LIST,
      id: 'list-question-tags',
      path: '/explorer/tags/',
      summary: 'Lists the tags that questions can have',
      handle: async () => ({ body: await tags.list() }),
    },
    {
      ...LIST,
      id: 'get-tags-of-question',
      path: '/explorer/questions/{questionId}/tags/',
      summary: 'Lists the tags of a question',
      parameters: QUESTION_PARAMETER,
      errors: [...LIST.errors, 'question_not_found'],
      handle: async ({ parameters }) => ({
        body: await tags.ofQuestion(String(parameters.questionId)).catch(throwIfAbsent),
      }),
    },
  ];
}

function setOperation(tags: QuestionTags): PersonalOperation {
  return {
    access: 'trusted',
    tag: 'Explorer',
    id: 'set-tags-of-question',
    method: 'post',
    path: '/explorer/questions/{questionId}/tags/',
    summary: 'Replaces the tags of a question',
    parameters: QUESTION_PARAMETER,
    body: requestSchema('question-tags'),
    answer: TAGS,
    errors: ['question_not_found', 'tag_not_found'],
    handle: async ({ parameters, body, caller, now }) => {
      const { tagIds } = body as { tagIds: number[] };
      const changed = tags.set(String(parameters.questionId), tagIds, caller.id, now);
      return { body: await changed.catch(explain) };
    },
  };
}

const TAGS = {
  type: 'array',
  items: exactObject('QuestionTag', { id: { type: 'integer' }, name: { type: 'string' } }),
};

const LIST = { access: 'open', tag: 'Explorer', method: 'get', answer: TAGS, errors: DATABASE_ERRORS } as const;

function explain(error: unknown): never {
  if (error instanceof TagNotFoundError) throw new HttpProblem('tag_not_found', error.message);
  return throwIfAbsent(error);
}
