import { EngineError } from '../engine/interface/errors.js';

/** The database is there, but busy with others. Callers see the message; where it is and why stands in the cause. */
export function overloaded(message: string, cause?: unknown): EngineError {
  return new EngineError('overloaded', message, cause === undefined ? {} : { cause });
}

/** The database is not there, or lets nobody in. Callers see the message; where it is and why stands in the cause. */
export function unavailable(message: string, cause?: unknown): EngineError {
  return new EngineError('database_unavailable', message, cause === undefined ? {} : { cause });
}

/** The result has more bytes than are read. */
export function tooLarge(maxBytes: number): EngineError {
  const most = `${Math.round(maxBytes / 1024 / 1024)} MB`;
  return new EngineError('query_failed', `The result is larger than ${most}, the most that is read: ask for less.`);
}

/** The most bytes of a result where nothing else is said. */
export const MAX_RESULT_BYTES = 64 * 1024 * 1024;
