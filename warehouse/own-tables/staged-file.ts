import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createOwnFolder } from '../../databases/own-folder.js';
import type { Store } from '../store/store.js';
import { OwnTableError } from './own-table-error.js';
import { MAX_BYTES, type SourceFile, STAGED_ROWS } from './read-source.js';

export interface StagingOptions {
  /** The absolute path of a `.csv`, `.tsv` or `.parquet` file. */
  readonly file: string;
  /** The folder for the copy of the file that DuckDB reads. */
  readonly stagingDirectory: string;
  readonly signal: AbortSignal;
  /** Receives the name of each step when it starts. */
  readonly onStep: (step: string) => void;
}

/** Copies the file into the staging directory, because DuckDB can only read files there, and removes the copy after `work`. */
export async function withStagedFile<T>(
  store: Store,
  { file, stagingDirectory, onStep }: StagingOptions,
  work: (source: SourceFile) => Promise<T>,
): Promise<T> {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format === undefined) throw new OwnTableError(`${file}: expected a .csv, .tsv or .parquet file.`);
  await requireFile(file);
  onStep(`Reading ${basename(file)}.`);
  await mkdir(stagingDirectory, { recursive: true });
  // The folder is removed later if the process is killed.
  const folder = await createOwnFolder(stagingDirectory, 'own');
  const copy = join(folder.path, `rows.${format}`);
  try {
    await copyFile(file, copy);
    return await work({ file, copy, format });
  } finally {
    await folder.remove();
    await store.useStaging((staging) => staging.run(`DROP TABLE IF EXISTS ${STAGED_ROWS}`));
  }
}

const FORMATS: Readonly<Record<string, SourceFile['format']>> = { '.csv': 'csv', '.tsv': 'csv', '.parquet': 'parquet' };

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new OwnTableError(error.code === 'ENOENT' ? `${file}: there is no such file.` : error.message);
  });
  if (!found.isFile()) throw new OwnTableError(`${file}: expected a file.`);
  if (found.size === 0) throw new OwnTableError(`${file}: the file is empty.`);
  if (found.size > MAX_BYTES) {
    throw new OwnTableError(`${file}: the file has ${found.size} bytes, expected at most ${MAX_BYTES}.`);
  }
}
