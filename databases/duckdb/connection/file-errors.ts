import { unavailableError } from '../../failures.js';

/**
 * Returns `database_unavailable` if a failed write has invalidated the database: DuckDB then rejects every statement until the
 * file is opened again. Returns any other error unchanged.
 */
export function explainFatalError(error: unknown): unknown {
  if (!/^FATAL Error|database has been invalidated/.test(textOf(error))) return error;
  return unavailableError('The database has stopped after a failed write. Restart the service.', error);
}

/** Like `explainFatalError`, and also returns `database_unavailable` if the file cannot be written, mostly because the disk is full. */
export function explainWriteError(error: unknown): unknown {
  if (!/Could not write|No space left|File too large/.test(textOf(error))) return explainFatalError(error);
  const explained = explainFatalError(error);
  return explained === error ? unavailableError('The database cannot store changes at the moment.', error) : explained;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
