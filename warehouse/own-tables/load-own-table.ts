import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../../engine/databases/duckdb/connection/read-rows.js';
import { createOwnFolder } from '../../engine/databases/own-folder.js';
import { didYouMean } from '../../engine/index.js';
import type { NewTable, Store, Tables } from '../store/store.js';
import { type ColumnType, readColumnType } from './column-type.js';
import { chooseTableName, OwnTableError, quoteValue } from './own-table-name.js';
import {
  MAX_BYTES,
  readSource,
  type SourceColumn,
  type SourceFile,
  STAGED_ROWS,
  type StagedRows,
} from './read-source.js';
import { readStored, removeStored, type StoredTable, writeStored } from './stored-own-tables.js';
import {
  documentPath,
  findNameProblem,
  type OwnColumn,
  readTableDocument,
  type TableDocument,
} from './table-document.js';

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

/** A column of the table, with its column in the staged rows. */
interface CheckedColumn extends OwnColumn {
  readonly name: string;
  readonly kind: ColumnType;
  /** The name of the column in the staged rows, which contains the text of the value. */
  readonly text: string;
}

/** Checks that the names of the columns of a file can be used. Throws `OwnTableError`. */
function checkNames(file: string, columns: readonly SourceColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    const problem = seen.has(name) ? `two columns have the name ${name}` : findNameProblem(name);
    if (problem !== undefined) throw new OwnTableError(`${file}: ${problem}`);
    seen.add(name);
  }
}

/**
 * Checks the staged rows against the types in the documentation. Returns the SELECT that converts the rows. Throws `OwnTableError` for the
 * first invalid value.
 */
async function checkRows(
  staging: DuckDBConnection,
  file: string,
  columns: readonly SourceColumn[],
  document: TableDocument,
): Promise<string> {
  const checked = matchColumns(file, columns, document);
  await checkValues(staging, file, checked);
  await checkKey(staging, file, checked, document.key ?? []);
  return `SELECT ${checked.map(({ name, kind, text }) => `${kind.toValue(text)} AS ${name}`).join(', ')} FROM ${STAGED_ROWS}`;
}

function matchColumns(file: string, columns: readonly SourceColumn[], document: TableDocument): CheckedColumn[] {
  const declared = Object.keys(document.columns);
  const found = columns.map(({ name }) => name);
  const missing = declared.filter((name) => !found.includes(name));
  const extra = found.filter((name) => !declared.includes(name));
  const problems = [
    ...missing.map((name) => `the column ${name} is missing`),
    ...extra.map((name) => `the column ${quoteValue(name)} is not documented${didYouMean(name, missing)}`),
  ];
  if (problems.length > 0) throw new OwnTableError(`${file}: ${problems.join('; ')}`);
  return Object.entries(document.columns).map(([name, column]) => ({
    ...column,
    name,
    kind: readColumnType(column.type) as ColumnType,
    text: `c${found.indexOf(name)}`,
  }));
}

async function checkValues(staging: DuckDBConnection, file: string, columns: readonly CheckedColumn[]): Promise<void> {
  const wrong = columns.map(wrongSql);
  const firsts = wrong.map((condition) => `MIN("row") FILTER (${condition}), COUNT(*) FILTER (${condition})`);
  const [facts = []] = await readRows(staging, `SELECT ${firsts.join(', ')} FROM ${STAGED_ROWS}`);
  const places = columns.flatMap((column, index) => {
    const row = facts[2 * index] ?? null;
    return row === null ? [] : [{ column, row: Number(row), count: Number(facts[2 * index + 1]) }];
  });
  const [first] = places.sort((a, b) => a.row - b.row);
  if (first === undefined) return;
  const { column, row } = first;
  const [[value = null] = []] = await readRows(
    staging,
    `SELECT ${column.text} FROM ${STAGED_ROWS} WHERE "row" = ${row}`,
  );
  const more = places.reduce((sum, { count }) => sum + count, 0) - 1;
  const others = more === 0 ? '' : `; ${more} more ${more === 1 ? 'value does' : 'values do'} not fit`;
  const got = value === null ? 'no value; declare nullable: true if it can be missing' : quoteValue(String(value));
  const { expected } = column.kind;
  throw new OwnTableError(
    `${file}: row ${row}, column ${column.name}: expected ${expected} (${column.type}), got ${got}${others}`,
  );
}

function wrongSql({ kind, text, nullable }: CheckedColumn): string {
  const isValid = `COALESCE(${kind.isValid(text)}, FALSE)`;
  return `WHERE ${nullable ? `${text} IS NOT NULL AND ` : ''}NOT ${isValid}`;
}

async function checkKey(
  staging: DuckDBConnection,
  file: string,
  columns: readonly CheckedColumn[],
  key: readonly string[],
): Promise<void> {
  if (key.length === 0) return;
  const parts = columns.filter(({ name }) => key.includes(name));
  const values = parts.map(({ kind, text }) => kind.toValue(text)).join(', ');
  const [again] = await readRows(
    staging,
    `SELECT MIN("row"), MIN("row", 2)[2] AS second FROM ${STAGED_ROWS} GROUP BY ${values} HAVING COUNT(*) > 1
     ORDER BY second LIMIT 1`,
  );
  if (again === undefined) return;
  const [first, second] = again.map(Number) as [number, number];
  const texts = parts.map(({ text }) => text).join(', ');
  const [cells = []] = await readRows(staging, `SELECT ${texts} FROM ${STAGED_ROWS} WHERE "row" = ${second}`);
  const shown = parts.map(({ name }, index) => `${name} ${quoteValue(String(cells[index]))}`).join(', ');
  throw new OwnTableError(`${file}: row ${second} has the same key as row ${first}: ${shown}`);
}

/** Infers the types of the columns from all staged values. The descriptions are empty. A text column of a Parquet file stays text. */
async function inferDocument(staging: DuckDBConnection, columns: readonly SourceColumn[]): Promise<TableDocument> {
  const entries: [string, TableDocument['columns'][string]][] = [];
  for (const [index, { name, type }] of columns.entries()) {
    const [[hasNull, length, ...fits] = []] = await readRows(staging, factsSql(`c${index}`));
    const candidates = isText(type) ? [] : CANDIDATES.filter((_, place) => fits[place] === 1);
    const fitting = candidates[0]?.name ?? textType(Number(length));
    const inferred = isDecimal(type) ? type : Number(length) === 0 ? 'VARCHAR(255)' : fitting;
    entries.push([name, { type: inferred, description: '', ...(hasNull === 1 && { nullable: true }) }]);
  }
  return { description: '', columns: Object.fromEntries(entries) };
}

function isText(type: string | undefined): boolean {
  return type !== undefined && /^(VARCHAR|UUID|TIME|ENUM.*)$/.test(type);
}

function isDecimal(type: string | undefined): type is string {
  return type !== undefined && readColumnType(type) !== undefined && type.startsWith('DECIMAL');
}

/** The candidate types, from the narrowest to the widest. A code such as `007` stays text, and so does a number with too many digits. */
const CANDIDATES = [
  candidate('BOOLEAN', (text) => `lower(${text}) IN ('true', 'false')`),
  candidate('BIGINT', (text) => `NOT regexp_matches(${text}, '^[+-]?0[0-9]|\\.')`),
  // A DOUBLE has at least 15 exact digits.
  candidate('DOUBLE', (text) => `NOT regexp_matches(${text}, '^[+-]?(0[0-9]|[0-9]{16})')`),
  candidate('DATE'),
  candidate('DATETIME'),
];

function candidate(name: string, restriction: (text: string) => string = () => 'TRUE') {
  const { isValid } = readColumnType(name) as ColumnType;
  return { name, fits: (text: string) => `${isValid(text)} AND ${restriction(text)}` };
}

/** Selects whether a column contains NULL, its maximum length, and for each candidate whether all values fit. NULL fits every type. */
function factsSql(column: string): string {
  const fits = CANDIDATES.map(
    (one) => `COALESCE(bool_and(${one.fits(column)}) FILTER (${column} IS NOT NULL), FALSE)::TINYINT`,
  );
  return `
    SELECT (COUNT(*) > COUNT(${column}))::TINYINT, COALESCE(MAX(length(${column})), 0), ${fits.join(', ')}
    FROM ${STAGED_ROWS}`;
}

/** Returns a text type that is longer than the longest value, because later values may be longer. */
function textType(length: number): string {
  const size = [32, 64, 255, 1000].find((some) => 1.5 * length <= some);
  return size === undefined ? 'TEXT' : `VARCHAR(${size})`;
}
