import { EngineError } from './interface/errors.js';

/** Creates an `overloaded` error: the database is busy. Callers see `message`; only the log gets `cause`, which names the server. */
export function overloadedError(message: string, cause?: unknown): EngineError {
  return new EngineError('overloaded', message, cause === undefined ? {} : { cause });
}

/**
 * Creates a `database_unavailable` error: the database cannot be reached or rejects the login. Callers see `message`;
 * only the log gets `cause`, which names the server.
 */
export function unavailableError(message: string, cause?: unknown): EngineError {
  return new EngineError('database_unavailable', message, cause === undefined ? {} : { cause });
}

/** Creates a `query_failed` error for a result with more than `maxBytes` bytes. */
export function resultTooLargeError(maxBytes: number): EngineError {
  const limit = `${Math.round(maxBytes / 1024 / 1024)} MB`;
  return new EngineError(
    'query_failed',
    `The result is larger than the limit of ${limit}. Select fewer rows or columns.`,
  );
}

/** The default maximum number of bytes of one result. */
export const MAX_RESULT_BYTES = 64 * 1024 * 1024;
