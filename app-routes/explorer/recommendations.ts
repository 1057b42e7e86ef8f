import { exactObject } from '../../engine/http/json-schema.js';
import type { OpenOperation, Operation, PersonalOperation } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../../engine/http/problems/http-problem.js';
import { QuestionError } from '../../explorer/questions/error-types.js';
import { type GeneratedQuestions, RefreshRunningError } from '../../explorer/questions/generated-questions.js';
import {
  MAX_RECOMMENDED,
  QuestionNotAnsweredError,
  type Recommendations,
} from '../../explorer/questions/recommendations.js';
import { QUESTION_PARAMETER, throwIfAbsent } from './question-parameter.js';

/** Questions that users may want to ask: the best questions of other users, or generated ones. */
export function recommendationOperations(recommendations: Recommendations, generated: GeneratedQuestions): Operation[] {
  return [
    listOperation(recommendations, generated),
    refreshOperation(generated),
    recommendOperation(recommendations, true),
    recommendOperation(recommendations, false),
  ];
}

function listOperation(recommendations: Recommendations, generated: GeneratedQuestions): OpenOperation {
  return {
    access: 'open',
    tag: 'Explorer',
    id: 'list-recommended-questions',
    method: 'get',
    path: '/explorer/questions/recommend/',
    summary: 'Lists recommended questions',
    description:
      'By default, lists answered questions: those that trusted users recommend, then those that most users asked. A question of only one user is not listed. Generated questions have no tags.',
    parameters: PARAMETERS,
    answer: QUESTIONS,
    errors: DATABASE_ERRORS,
    handle: async ({ parameters }) => {
      const [n, tagId] = [Number(parameters.n), parameters.tagId];
      if (parameters.aiGenerated === true) return { body: tagId === null ? await generated.list(n) : [] };
      return { body: await recommendations.list({ n, tagId: tagId === null ? undefined : Number(tagId) }) };
    },
  };
}

function refreshOperation(generated: GeneratedQuestions): PersonalOperation {
  return {
    access: 'trusted',
    tag: 'Explorer',
    id: 'refresh-recommended-questions',
    method: 'post',
    path: '/explorer/questions/recommend/batchRefresh/',
    summary: 'Replaces all generated questions by new ones',
    description: 'If the new questions cannot be generated, the earlier ones stay. Only one refresh runs at a time.',
    answer: QUESTIONS,
    errors: ['refresh_running', 'model_unavailable'],
    handle: async ({ caller, now, signal }) => ({
      body: await generated.refresh(caller.id, now, signal).catch(explainRefresh),
    }),
  };
}

function recommendOperation(recommendations: Recommendations, value: boolean): PersonalOperation {
  return {
    access: 'trusted',
    tag: 'Explorer',
    id: value ? 'recommend-question' : 'cancel-recommendation',
    method: 'post',
    path: `/explorer/questions/{questionId}/recommend/${value ? '' : 'cancel/'}`,
    summary: value ? 'Recommends an answered question' : 'Ends the recommendation of a question',
    description: 'A repeated request changes nothing.',
    parameters: QUESTION_PARAMETER,
    answer: exactObject('Recommendation', {
      questionId: { type: 'string', format: 'uuid' },
      recommended: { type: 'boolean' },
    }),
    errors: value ? ['question_not_found', 'question_not_answered'] : ['question_not_found'],
    handle: async ({ parameters, caller, now }) => {
      const questionId = String(parameters.questionId);
      await recommendations.setRecommended(questionId, value, caller.id, now).catch(explainRecommend);
      return { body: { questionId, recommended: value } };
    },
  };
}

const PARAMETERS = {
  aiGenerated: {
    in: 'query',
    type: 'boolean',
    description: 'Lists the generated questions instead of those of users.',
    example: false,
  },
  n: {
    in: 'query',
    type: 'integer',
    minimum: 1,
    maximum: MAX_RECOMMENDED,
    default: 10,
    description: 'The maximum number of questions.',
    example: 5,
  },
  tagId: {
    in: 'query',
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Lists only questions with this tag.',
    example: 1,
  },
} as const;

const QUESTIONS = {
  type: 'array',
  items: exactObject('RecommendedQuestion', {
    hash: { type: 'string', description: 'SHA-256 of the text; equal questions have equal hashes.' },
    title: { type: 'string', description: 'The question.' },
    aiGenerated: { type: 'boolean', description: 'Whether the service generated the question.' },
    questionId: {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Id of the question with the answer; null for a generated question.',
    },
    recommended: { type: 'boolean', description: 'Whether a trusted user recommends the question.' },
    asked: { type: 'integer', minimum: 0, description: 'The number of users who got an answer.' },
  }),
};

function explainRefresh(error: unknown): never {
  if (error instanceof RefreshRunningError) {
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    throw new HttpProblem('refresh_running', error.message, { headers });
  }
  if (error instanceof QuestionError) throw new HttpProblem('model_unavailable', error.message, { cause: error });
  throw error;
}

function explainRecommend(error: unknown): never {
  if (error instanceof QuestionNotAnsweredError) throw new HttpProblem('question_not_answered', error.message);
  return throwIfAbsent(error);
}
