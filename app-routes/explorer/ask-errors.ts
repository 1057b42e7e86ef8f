import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { EngineError } from '../../engine/index.js';
import { QuestionTooLongError, TooManyQuestionsError } from '../../explorer/questions/ask-question.js';
import { throwIfRemoved } from '../sign-in/identify.js';

/** Error codes of the operations that ask a question. */
export const ASK_ERRORS = ['question_too_long', 'too_many_questions', 'overloaded'] as const;

/** Throws the HTTP problem for a question that was not accepted. */
export function throwAskError(error: unknown): never {
  if (error instanceof QuestionTooLongError) {
    const errors = [{ errorType: 'error-question-too-long', reason: error.message }];
    throw new HttpProblem('question_too_long', error.message, { errors });
  }
  if (error instanceof TooManyQuestionsError) {
    if (error.isOverload) throw new EngineError('overloaded', error.message);
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    throw new HttpProblem('too_many_questions', error.message, { headers });
  }
  return throwIfRemoved(error);
}
