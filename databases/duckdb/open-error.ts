import { readFileSync } from 'node:fs';

/** The file is in use: by the process `pid`, whose program is named where the system tells it. */
export class DatabaseHeldError extends Error {
  override readonly name = 'DatabaseHeldError';

  constructor(
    readonly file: string,
    readonly pid: number,
    readonly program: string | undefined,
  ) {
    const holder = program === undefined ? `process ${pid}` : `process ${pid} (${program})`;
    super(
      `The database file ${file} is held by ${holder}: only one process may open it for writing. ` +
        'Stop that process, or send the work to it when it is the running server.',
    );
  }
}

/** The file cannot be used as a database. The message names the file, what is wrong with it and what to do. */
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

/** What an error of DuckDB while opening `file` means to the person who asked for it. */
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
    'is not a database of this program. Name another file, or move this one away to have a new one made.',
  ],
  [
    /version number|storage version|newer version/i,
    'was written by another version of DuckDB that this program cannot read. Use the program that wrote it, or move ' +
      'the file away and import again.',
  ],
  [
    /No space left|disk (is )?full/i,
    'cannot be written because the disk is full. Free some space, or name a file on another disk.',
  ],
  [
    /Permission denied|Read-only file system|read-only/i,
    'cannot be written: the file or its folder is read-only for this user. Change its permissions, name a file ' +
      'elsewhere, or open it for reading only.',
  ],
  [/Is a directory/i, 'is a folder. Name a file in it.'],
  [
    /does not exist|No such file/i,
    'cannot be found, and its folder may be missing. Make the folder, or correct the path.',
  ],
  [
    /corrupt|checksum|WAL/i,
    'is damaged and cannot be read. Restore a copy of it, or move it away with its .wal file and import again.',
  ],
];

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
