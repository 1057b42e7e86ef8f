import { EngineError } from '../engine/errors.js';

/** The database is there, but busy with others. Callers see the message; where it is and why stands in the cause. */
export function overloaded(message: string, cause?: unknown): EngineError {
  return new EngineError('overloaded', message, cause === undefined ? {} : { cause });
}

/** The database is not there, or lets nobody in. Callers see the message; where it is and why stands in the cause. */
export function unavailable(message: string, cause?: unknown): EngineError {
  return new EngineError('database_unavailable', message, cause === undefined ? {} : { cause });
}
