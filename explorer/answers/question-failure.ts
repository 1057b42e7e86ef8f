import { EngineError } from '../../engine/index.js';
import { SqlFailedError } from '../playground/query-failure.js';
import { QuestionError } from '../questions/error-types.js';

/** Converts a database error to the failure of a question. Returns other errors unchanged. */
export function toQuestionError(error: unknown): unknown {
  if (error instanceof SqlFailedError) return new QuestionError('error-query-execute', error.message, { cause: error });
  if (!(error instanceof EngineError)) return error;
  const type = error.code === 'query_timeout' ? 'error-query-timeout' : 'error-query-execute';
  return new QuestionError(type, error.message, { cause: error });
}
