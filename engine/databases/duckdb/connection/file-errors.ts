import { unavailableError } from '../../failures.js';

/**
 * Returns `database_unavailable` if a failed write has invalidated the database: DuckDB then rejects every statement until the
 * file is opened again. Returns any other error unchanged.
 */
export function explainFatalError(error: unknown): unknown {
  if (!/^FATAL Error|database has been invalidated/.test(textOf(error))) return error;
  return unavailableError('The database has stopped after a failed write. Restart the service.', error);
}

/**
 * Like `explainFatalError`, and also returns `database_unavailable` if the file cannot be written. The cause of this
 * error names the reason and the next step, because DuckDB names its own settings, which operators cannot change.
 */
export function explainWriteError(error: unknown): unknown {
  const text = textOf(error);
  const reason = REASONS.find(([pattern]) => pattern.test(text))?.[1];
  if (reason === undefined) return explainFatalError(error);
  const explained = explainFatalError(error);
  if (explained !== error) return explained;
  const path = /file "([^"]+)"/.exec(text)?.[1];
  const cause = new Error(`${path ?? 'The database'} cannot be written: ${reason}`, { cause: error });
  return unavailableError('The database cannot store changes at the moment.', cause);
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /max_temp_directory_size/,
    'the disk of DATA_DIR has no space for intermediate results. Free disk space, or increase DATABASE_MEMORY.',
  ],
  [/^Out of Memory Error/, 'the work needs more memory. Increase DATABASE_MEMORY, or reduce DATABASE_THREADS.'],
  [/Read-only file system/, 'the file system is read-only. Mount it for writing, or use a folder of another one.'],
  [/No space left/, 'the disk is full (No space left). Free disk space.'],
  [/File too large/, 'the file has the maximum size that the system allows (File too large). Increase the limit.'],
  [/Could not write/, 'the disk rejects writes. Check the disk and its free space.'],
];

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
