import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import type { ParameterDefinition } from '../../engine/index.js';
import type { QuestionProgress } from '../../explorer/explorer.js';
import type { QuestionResult } from '../../explorer/questions/question.js';
import { QuestionNotFoundError } from '../../explorer/questions/question-access.js';
import { throwIfRemoved } from '../sign-in/identify.js';

/** The path parameter `{questionId}`. A text that is not a UUID is not rejected here; it causes `question_not_found`. */
export const QUESTION_PARAMETER: Readonly<Record<'questionId', ParameterDefinition>> = {
  questionId: {
    in: 'path',
    type: 'string',
    description: 'Id of the question, a UUID in lower case.',
    example: '3f0c1c52-6a3e-4b7e-9d55-0a4f0e3c7b21',
  },
};

/** Rethrows errors about unknown questions and removed users as HTTP problems, and other errors unchanged. */
export function throwIfAbsent(error: unknown): never {
  if (error instanceof QuestionNotFoundError) throw new HttpProblem('question_not_found', error.message);
  return throwIfRemoved(error);
}

/** Creates the JSON of a question for responses. */
export function questionBody({ question, queuePreceding }: QuestionProgress, now: Date, staleAfterMs: number) {
  const { result, engines, ...record } = question;
  return {
    ...record,
    engine: engines[0] ?? null,
    engines,
    queuePreceding,
    result: result === null ? null : resultBody(result, now, staleAfterMs),
  };
}

/** Adds whether the data are stale at the time `now`. Data of unknown age count as stale. */
export function resultBody(result: QuestionResult, now: Date, staleAfterMs: number) {
  const { dataAsOf } = result;
  return { ...result, stale: dataAsOf === null || now.getTime() - Date.parse(dataAsOf) > staleAfterMs };
}
