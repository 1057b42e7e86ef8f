import { EngineError } from '../engine/errors.js';

export function cancelled(): EngineError {
  return new EngineError('query_cancelled', 'The query was cancelled because its caller went away.');
}

export function timedOut(timeoutMs: number): EngineError {
  return new EngineError('query_timeout', `The query was stopped after ${timeoutMs} ms, the time it is allowed.`);
}

/** The database is there, but busy with others. */
export function overloaded(message: string): EngineError {
  return new EngineError('overloaded', message);
}

export function unavailable(message: string, cause?: unknown): EngineError {
  return new EngineError('database_unavailable', message, cause === undefined ? {} : { cause });
}
