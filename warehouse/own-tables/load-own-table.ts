import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { createOwnFolder } from '../../engine/databases/own-folder.js';
import type { NewTable, Store, Tables } from '../store/store.js';
import { checkNames, checkRows } from './check-rows.js';
import { readColumnType } from './column-type.js';
import { inferDocument } from './infer-document.js';
import { OwnTableError } from './own-table-error.js';
import { chooseTableName } from './own-table-name.js';
import { MAX_BYTES, readSource, type SourceFile, STAGED_ROWS, type StagedRows } from './read-source.js';
import { readStored, removeStored, type StoredTable, writeStored } from './stored-own-tables.js';
import { documentPath, readTableDocument, type TableDocument } from './table-document.js';

export interface LoadOptions extends StagingOptions {
  /** The name of the table. Default: derived from the name of the file. */
  readonly name?: string | undefined;
  /** Whether an existing own table of the same name is replaced. */
  readonly replace: boolean;
  readonly now: Date;
}

export interface LoadedTable extends StoredTable {
  /** Whether the types were inferred, because the file has no documentation. */
  readonly isInferred: boolean;
}

/** Loads a file into an own table. Changes nothing if a value in the file is invalid. Throws `OwnTableError` and `AlreadyRunningError`. */
export async function loadOwnTable(store: Store, options: LoadOptions): Promise<LoadedTable> {
  const { file, replace } = options;
  const name = chooseTableName(file, options.name);
  const declared = await readTableDocument(documentPath(file));
  return store.runExclusively(WORK, WAIT_SECONDS, async () => {
    const stored = await store.write((tables) => readStored(tables, name));
    if (stored !== undefined && !replace) {
      throw new OwnTableError(`The table ${name} exists since ${stored.loadedAt} UTC. Pass --replace to replace it.`);
    }
    const isKnown = stored !== undefined;
    return withStagedFile(store, options, (source) => replaceRows(store, { name, isKnown, source, declared }, options));
  });
}

/** Infers the documentation of a file from its values, for the author to complete. Changes no table. Throws `OwnTableError`. */
export function describeOwnTable(store: Store, options: StagingOptions): Promise<TableDocument> {
  return withStagedFile(store, options, (source) =>
    store.useStaging(async (staging) => (await readTyped(staging, source, undefined, options)).document),
  );
}

/** Drops an own table. Throws `OwnTableError` if it does not exist. */
export async function dropOwnTable(store: Store, name: string): Promise<void> {
  await store.runExclusively(WORK, WAIT_SECONDS, async () => {
    if ((await store.write((tables) => readStored(tables, name))) === undefined) {
      throw new OwnTableError(`There is no own table ${name}. \`data table list\` shows all own tables.`);
    }
    await store.dropTable(name, (tables) => removeStored(tables, name));
  });
}

const WORK = 'change of own tables';
const WAIT_SECONDS = 60;
const MAX_SOURCE = 255;

interface Replaced {
  readonly name: string;
  readonly isKnown: boolean;
  readonly source: SourceFile;
  readonly declared: TableDocument | undefined;
}

async function replaceRows(
  store: Store,
  { name, isKnown, source, declared }: Replaced,
  options: LoadOptions,
): Promise<LoadedTable> {
  const { now, signal, onStep } = options;
  const loadedAt = now.toISOString().slice(0, 19).replace('T', ' ');
  const facts = { name, loadedAt, source: basename(source.file).slice(-MAX_SOURCE) };
  let table: StoredTable | undefined;
  const stage = async (staging: DuckDBConnection): Promise<NewTable> => {
    const { document, select, staged } = await readTyped(staging, source, declared, options);
    const { rows, parts } = staged;
    table = { ...facts, document, rows };
    signal.throwIfAborted();
    onStep(`Writing ${rows} rows.`);
    return newTable(
      document,
      parts.map(([first, last]) => `${select} WHERE "row" BETWEEN ${first} AND ${last}`),
    );
  };
  const record = (tables: Tables) => writeStored(tables, table as StoredTable);
  await store.replaceTable({ name, isKnown, stage, record });
  return { ...(table as unknown as StoredTable), isInferred: declared === undefined };
}

interface TypedRows {
  readonly document: TableDocument;
  /** The SELECT of all typed rows. A condition on the column `row` can be appended. */
  readonly select: string;
  readonly staged: StagedRows;
}

async function readTyped(
  staging: DuckDBConnection,
  source: SourceFile,
  declared: TableDocument | undefined,
  { signal, onStep }: StagingOptions,
): Promise<TypedRows> {
  const staged = await readSource(staging, source);
  const { columns } = staged;
  signal.throwIfAborted();
  onStep('Checking all values.');
  if (declared === undefined) checkNames(source.file, columns);
  const document = declared ?? (await inferDocument(staging, columns));
  return { document, select: await checkRows(staging, source.file, columns, document), staged };
}

function newTable({ columns, key }: TableDocument, rows: readonly string[]): NewTable {
  const lines = Object.entries(columns).map(
    ([name, { type, nullable }]) => `${name} ${readColumnType(type)?.sql}${nullable ? '' : ' NOT NULL'}`,
  );
  const all = key === undefined ? lines : [...lines, `PRIMARY KEY (${key.join(', ')})`];
  const options = 'DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin';
  return {
    columns: Object.keys(columns),
    create: (name) => `CREATE TABLE ${name} (${all.join(', ')}) ${options}`,
    rows,
  };
}

interface StagingOptions {
  /** The absolute path of a `.csv`, `.tsv` or `.parquet` file. */
  readonly file: string;
  /** The folder for the copy of the file that DuckDB reads. */
  readonly stagingDirectory: string;
  readonly signal: AbortSignal;
  /** Called with the name of each step when the step starts. */
  readonly onStep: (step: string) => void;
}

/** Copies the file into the staging directory, because DuckDB can only read files there, and removes the copy after `work`. */
async function withStagedFile<T>(
  store: Store,
  { file, stagingDirectory, onStep }: StagingOptions,
  work: (source: SourceFile) => Promise<T>,
): Promise<T> {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format === undefined) throw new OwnTableError(`${file}: expected a .csv, .tsv or .parquet file.`);
  await requireFile(file);
  onStep(`Reading ${basename(file)}.`);
  await mkdir(stagingDirectory, { recursive: true });
  // If the process is killed, a later load removes the folder.
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
