import { readFileSync } from 'node:fs';

/**
 * Thrown if another process, `pid`, has the file open. `program` is its command line; undefined if the operating system
 * does not show it.
 */
export class DatabaseHeldError extends Error {
  override readonly name = 'DatabaseHeldError';

  constructor(
    readonly file: string,
    readonly pid: number,
    readonly program: string | undefined,
  ) {
    const holder = program === undefined ? `process ${pid}` : `process ${pid} (${program})`;
    super(
      `The database file ${file} is in use by ${holder}. Only one process can open it for writing. ` +
        'Stop that process. If it is the running server, run the command through the server.',
    );
  }
}

/** Thrown if the file cannot be used as a database. The message names the file, the cause and the next step. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';

  constructor(
    readonly file: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Converts an error of DuckDB from opening `file` into an error that states what the operator can do. */
export function explainOpenError(file: string, error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  const pid = /\(PID (\d+)\)/.exec(text)?.[1];
  if (pid !== undefined) return new DatabaseHeldError(file, Number(pid), programOf(Number(pid)));
  for (const [pattern, meaning] of MEANINGS) {
    if (pattern.test(text)) return new DatabaseFileError(file, `${file} ${meaning}`, error);
  }
  return new DatabaseFileError(file, `${file} cannot be opened as a database: ${text}`, error);
}

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /not a valid DuckDB database file|not a DuckDB database|no longer a valid/i,
    'is not a DuckDB database. Use another path, or move the file away so that a new one is created.',
  ],
  [
    /version number|storage version|newer version/i,
    'was written by a version of DuckDB that this program cannot read. Use the program that wrote it, or move ' +
      'the file away and import again.',
  ],
  [
    /No space left|disk (is )?full/i,
    'cannot be written because the disk is full. Free disk space, or use a path on another disk.',
  ],
  [
    /Permission denied|Read-only file system|read-only/i,
    'cannot be written: the file or its folder is read-only for this user. Change the permissions, use another path, ' +
      'or open the file for reading only.',
  ],
  [/Is a directory/i, 'is a folder. Use the path of a file.'],
  [
    /does not exist|No such file/i,
    'does not exist, or its folder does not exist. Create the folder, or correct the path.',
  ],
  [
    /Could not read enough bytes/i,
    'is truncated: it ends before its last block. Restore a backup, or move the file and its .wal file away and import again.',
  ],
  [
    /corrupt|checksum|WAL/i,
    'is damaged and cannot be read. Restore a backup, or move the file and its .wal file away and import again.',
  ],
];

/** Returns the command line of a process. Returns undefined if the operating system does not show it. */
function programOf(pid: number): string | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .filter((word) => word !== '');
    return words.length === 0 ? undefined : words.join(' ').slice(0, 120);
  } catch {
    return undefined;
  }
}
