import { chmod } from 'node:fs/promises';

/**
 * Removes the permissions of other accounts from a database file, which contains e-mail addresses, and from its
 * write-ahead log. DuckDB creates both with the permissions of ordinary files, and the log again after every checkpoint.
 * Returns the reason if the permissions cannot be changed.
 */
export async function makePrivate(file: string): Promise<string | undefined> {
  const reasons = await Promise.all([file, ...logsOf(file)].map(makeOnePrivate));
  return reasons.find((reason) => reason !== undefined);
}

/** Does the same for the write-ahead log only, after a commit. */
export async function makeLogPrivate(file: string): Promise<void> {
  await Promise.all(logsOf(file).map(makeOnePrivate));
}

/** The second log has the commits during a checkpoint, and replaces the first one. */
function logsOf(file: string): string[] {
  return [`${file}.wal`, `${file}.wal.checkpoint`];
}

async function makeOnePrivate(path: string): Promise<string | undefined> {
  try {
    await chmod(path, 0o600);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : message;
  }
}
