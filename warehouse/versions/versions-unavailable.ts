import { EngineError } from '../../engine/index.js';

/** The error if the versions of the tables cannot be read. */
export function versionsUnavailable(cause: unknown): EngineError {
  if (cause instanceof EngineError && cause.code === 'database_unavailable') return cause;
  return new EngineError('database_unavailable', 'The versions of the tables could not be read.', { cause });
}
