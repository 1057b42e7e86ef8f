import { EngineError } from '../engine/errors.js';

/** The database is there, but busy with others. */
export function overloaded(message: string, cause?: unknown): EngineError {
  return new EngineError('overloaded', message, cause === undefined ? {} : { cause });
}

/** The database is not there, or lets nobody in. */
export function unavailable(message: string, cause?: unknown): EngineError {
  return new EngineError('database_unavailable', message, cause === undefined ? {} : { cause });
}
