import type { DuckDBConnection } from '@duckdb/node-api';
import { didYouMean } from '../../../sql/did-you-mean.js';
import { quoteName, quoteText } from '../../../sql/duckdb/tree/quote.js';
import type { Database } from '../../interface/database.js';
import { readRows } from './read-rows.js';

/** A table whose rows are in files. */
export interface FileTable {
  readonly name: string;
  /** The absolute path of a file, or a pattern of paths with `*`, `?` and `**`. */
  readonly source: string;
  /** What a row is; empty if unknown. */
  readonly description: string;
  /** Descriptions of columns by name. */
  readonly columns: Readonly<Record<string, string>>;
}

/** The views of tables. */
export interface CreatedFileTables {
  /** The SELECT of each view in the dialect of DuckDB, by the name of its table. */
  readonly selects: ReadonlyMap<string, string>;
  /** The tables whose files cannot be read, with the reason. */
  readonly failures: readonly FileTableError[];
}

/** The problem of one table; the message is for the author of its file. */
export class FileTableError extends Error {
  override readonly name = 'FileTableError';

  constructor(
    readonly table: FileTable,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Creates a view for each table. A view reads the files of each query, so that it has the current rows; its columns stay those of the
 * start.
 */
export async function createFileTables(
  connection: DuckDBConnection,
  tables: readonly FileTable[],
): Promise<CreatedFileTables> {
  const selects = new Map<string, string>();
  const failures: FileTableError[] = [];
  for (const table of tables) {
    try {
      selects.set(table.name, await createFileTable(connection, table));
    } catch (error) {
      if (!(error instanceof FileTableError)) throw error;
      failures.push(error);
    }
  }
  return { selects, failures };
}

/** Returns the SELECT of the view. Throws `FileTableError`. */
async function createFileTable(connection: DuckDBConnection, table: FileTable): Promise<string> {
  const read = readerOf(table);
  const files = await readRows(connection, filesSql(table));
  if (files.length === 0) throw new FileTableError(table, 'no file matches');
  try {
    const columns = await readRows(connection, `DESCRIBE SELECT * FROM ${read(table)}`);
    const outputs = columns.map(([name, type]) => writeColumn(String(name), String(type)));
    const types = columns.map(([name, type]) => `${quoteText(String(name))}: ${quoteText(String(type))}`).join(', ');
    const select = `SELECT ${outputs.join(', ')} FROM ${read(table, types)}`;
    await connection.run(`CREATE VIEW ${quoteName(table.name)} AS ${select}`);
    await describe(connection, table, new Set(columns.map(([name]) => String(name))));
    return select;
  } catch (error) {
    if (error instanceof FileTableError) throw error;
    const reason = (error as Error).message.split('\n').slice(0, 4).join(' ').slice(0, MAX_REASON);
    throw new FileTableError(table, `the files cannot be read: ${reason}`, { cause: error });
  }
}

const MAX_REASON = 400;

/** Returns the absolute paths of the files of a table, sorted. */
export async function filesOf(database: Pick<Database, 'query'>, table: FileTable): Promise<readonly string[]> {
  const { rows } = await database.query({ sql: filesSql(table) }, [], { maxRows: MAX_FILES, timeoutMs: 10_000 });
  return rows.map(([file]) => String(file));
}

function filesSql({ source }: FileTable): string {
  return `SELECT file FROM glob(${quoteText(source)}) ORDER BY file`;
}

const MAX_FILES = 100_000;

/** Returns the path that queries of a table may read: its file, or for a pattern the longest folder without a pattern, with `/` at the end. */
export function pathOf({ source }: FileTable): string {
  const parts = source.split('/');
  const pattern = parts.findIndex(isPattern);
  return pattern < 0 ? source : `${parts.slice(0, pattern).join('/')}/`;
}

/**
 * Returns the name of the files of a source without their format: the last part of the path that is not a pattern, without its ending. Empty
 * if all parts are patterns.
 */
export function nameOfFiles(source: string): string {
  const part = source.split('/').findLast((one) => !isPattern(one)) ?? '';
  return READERS.reduce((name, [ends]) => name.replace(ends, ''), part);
}

/** Whether DuckDB's function `glob` reads a part of a path as a pattern. It knows no alternatives such as `{a,b}`. */
function isPattern(part: string): boolean {
  return /[*?[]/.test(part);
}

/** Returns the call of the DuckDB function that reads the files. `types` are the columns of a CSV or JSON file, which then are not guessed again. */
type ReadCall = (table: FileTable, types?: string) => string;

/** The default of 32 MB for each table of a query exceeds the memory of SQL of callers when it joins two tables. DuckDB reads 8 MB per thread. */
const CSV_BUFFER_BYTES = 8_000_000;

const READERS: readonly (readonly [ends: RegExp, read: ReadCall])[] = [
  // Files of Parquet and CSV must have all columns, in any order: `union_by_name` would fill columns with NULL, and omit lines that do not
  // fit. In JSON, a missing key is NULL.
  [/\.parquet$/i, ({ source }) => `read_parquet(${quoteText(source)})`],
  [
    /\.(csv|tsv)(\.gz)?$/i,
    ({ source }, types) => {
      const known = types === undefined ? '' : `, types = {${types}}`;
      return `read_csv(${quoteText(source)}, header = true, buffer_size = ${CSV_BUFFER_BYTES}${known})`;
    },
  ],
  [
    /\.(json|jsonl|ndjson)(\.gz)?$/i,
    ({ source }, types) => `read_json(${quoteText(source)}${types === undefined ? '' : `, columns = {${types}}`})`,
  ],
];

function readerOf(table: FileTable): ReadCall {
  const [, read] = READERS.find(([ends]) => ends.test(table.source)) ?? [];
  if (read !== undefined) return read;
  throw new FileTableError(
    table,
    'expected the name of files that end with .parquet, .csv, .tsv, .json, .jsonl or .ndjson',
  );
}

/** Writes a column with a type of the MySQL dialect: nested values become JSON, and times with a time zone become times in UTC. */
function writeColumn(name: string, type: string): string {
  const column = quoteName(name);
  if (type === 'BOOLEAN') return `CAST(${column} AS TINYINT) AS ${column}`;
  if (/^(TIMESTAMP|DATE_?TIME)/.test(type) && type !== 'TIMESTAMP') return `CAST(${column} AS TIMESTAMP) AS ${column}`;
  if (/\[\]$|^(STRUCT|MAP|UNION)\b|\[\d+\]$/.test(type)) return `to_json(${column}) AS ${column}`;
  if (/^(UUID|ENUM|INTERVAL|TIME WITH TIME ZONE)/.test(type)) return `CAST(${column} AS VARCHAR) AS ${column}`;
  // A later file with another type is then an error, if its values do not fit.
  return `CAST(${column} AS ${type}) AS ${column}`;
}

async function describe(connection: DuckDBConnection, table: FileTable, known: ReadonlySet<string>): Promise<void> {
  const names = new Map([...known].map((name) => [name.toLowerCase(), name]));
  const unknown = Object.keys(table.columns).find((column) => !names.has(column.toLowerCase()));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, [...known]);
    throw new FileTableError(table, `the files have no column ${unknown}${hint}`);
  }
  if (table.description !== '') {
    await connection.run(`COMMENT ON VIEW ${quoteName(table.name)} IS ${quoteText(table.description)}`);
  }
  for (const [column, text] of Object.entries(table.columns)) {
    await connection.run(
      `COMMENT ON COLUMN ${quoteName(table.name)}.${quoteName(names.get(column.toLowerCase()) ?? column)} IS ${quoteText(text)}`,
    );
  }
}
