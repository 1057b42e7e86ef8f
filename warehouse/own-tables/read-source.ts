import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../../engine/databases/duckdb/connection/read-rows.js';
import { quoteName } from '../../engine/sql/duckdb/tree/quote.js';
import { OwnTableError, quoteValue } from './own-table-name.js';
import { MAX_ROW_BYTES, requireShortRows } from './row-lengths.js';

/** The file of an own table, and its copy in the staging directory, which DuckDB can read. */
export interface SourceFile {
  /** The path for messages. */
  readonly file: string;
  readonly copy: string;
  readonly format: 'csv' | 'parquet';
}

/** A column of the file. */
export interface SourceColumn {
  readonly name: string;
  /** The DuckDB type of a Parquet column; undefined for CSV, where all values are texts. */
  readonly type: string | undefined;
}

/** The temporary table with the rows of the file as texts: the columns `c0`, `c1`, …, and `row`, the row number, counted from 1. */
export const STAGED_ROWS = 'staged_own_rows';

export const MAX_ROWS = 1_000_000;
export const MAX_BYTES = 256 * 1024 * 1024;

/** The rows of a file in `STAGED_ROWS`. */
export interface StagedRows {
  readonly columns: readonly SourceColumn[];
  readonly rows: number;
  /** The first and last row numbers of consecutive parts of about `PART_BYTES`. Rows are written part by part, to save memory. */
  readonly parts: readonly (readonly [first: number, last: number])[];
}

const PART_BYTES = 8 * 1024 * 1024;
/** The estimated memory per cell, in addition to its text. */
const CELL_BYTES = 8;

/** Copies the rows of a file into `STAGED_ROWS`. Throws `OwnTableError`. */
export async function readSource(staging: DuckDBConnection, source: SourceFile): Promise<StagedRows> {
  const { file, format } = source;
  const columns = await (format === 'csv' ? readCsv(staging, source) : readParquet(staging, source));
  const parts = (await readRows(staging, partsSql(columns.length))).map((cells) => cells.map(Number));
  const rows = parts.at(-1)?.[1] ?? 0;
  if (rows === 0) throw new OwnTableError(`${file}: the file has no rows. To remove a table, use data table drop.`);
  if (rows > MAX_ROWS) {
    throw new OwnTableError(`${file}: the file has more than ${MAX_ROWS} rows, which is the limit of an own table.`);
  }
  const bytes = parts.reduce((sum, [, , some = 0]) => sum + some, 0);
  if (bytes > MAX_BYTES) {
    throw new OwnTableError(`${file}: the values of the file have ${bytes} bytes, expected at most ${MAX_BYTES}.`);
  }
  return { columns, rows, parts: parts.map(([first = 0, last = 0]) => [first, last] as const) };
}

/** Selects the first row, the last row and the number of bytes of each part. */
function partsSql(columns: number): string {
  const texts = Array.from({ length: columns }, (_, index) => `COALESCE(strlen(c${index}), 0)`).join(' + ');
  return `
    SELECT MIN("row"), MAX("row"), SUM(bytes)::BIGINT
    FROM (
      SELECT "row", bytes, SUM(bytes + ${columns * CELL_BYTES}) OVER (ORDER BY "row") // ${PART_BYTES} AS part
      FROM (SELECT "row", ${texts} AS bytes FROM ${STAGED_ROWS})
    )
    GROUP BY part ORDER BY part`;
}

/**
 * Creates the table from a SELECT, in the same order. The function reads one row more than the limit, to detect a file with too many rows.
 * `rowid` is not used as the row number, because its values change at the commit.
 */
async function createRows(staging: DuckDBConnection, select: string): Promise<void> {
  const numbered = `SELECT *, row_number() OVER () AS "row" FROM (${select} LIMIT ${MAX_ROWS + 1})`;
  await staging.run(`CREATE OR REPLACE TEMP TABLE ${STAGED_ROWS} AS ${numbered}`);
}

async function readCsv(staging: DuckDBConnection, { file, copy }: SourceFile): Promise<readonly SourceColumn[]> {
  const { delimiter, names } = await readCsvHeader(copy, file);
  await requireShortRows(copy, file);
  const types = names.map((_, index) => `'c${index}': 'VARCHAR'`).join(', ');
  // A broken line is stored in `reject_errors`, with its number.
  const options = `auto_detect = false, header = true, delim = '${delimiter}', quote = '"', escape = '"', nullstr = '',
    allow_quoted_nulls = false, strict_mode = true, max_line_size = ${MAX_ROW_BYTES}, store_rejects = true, rejects_limit = 1, columns = {${types}}`;
  try {
    await createRows(staging, `SELECT * FROM read_csv('${copy}', ${options})`);
    const broken = await readRows(
      staging,
      'SELECT line, error_type, error_message, csv_line FROM reject_errors ORDER BY line LIMIT 1',
    );
    if (broken[0] !== undefined) throw brokenLineError(file, broken[0].map(String), names.length);
  } catch (error) {
    throw error instanceof OwnTableError ? error : unreadableError(file, 'CSV', error);
  } finally {
    // In a failed transaction this fails too; then the rollback removes the tables.
    for (const table of ['reject_errors', 'reject_scans']) {
      await staging.run(`DROP TABLE IF EXISTS ${table}`).catch(() => undefined);
    }
  }
  return names.map((name) => ({ name, type: undefined }));
}

function brokenLineError(file: string, [line, type = '', message = '', text = '']: string[], columns: number): Error {
  const reason = BROKEN_LINES[type] ?? message;
  const found = / Found: (\d+)/.exec(message)?.[1];
  const counts = found === undefined ? '' : `: expected ${columns} cells, got ${found}`;
  return new OwnTableError(`${file}:${line}: ${reason}${counts}. The line is ${quoteValue(text)}.`);
}

const BROKEN_LINES: Readonly<Record<string, string>> = {
  'MISSING COLUMNS': 'the line has too few cells',
  'TOO MANY COLUMNS': 'the line has too many cells',
  'UNQUOTED VALUE': 'the line has a wrong quote; write a quote inside a quoted cell twice',
  'INVALID ENCODING': 'the line is not UTF-8; save the file as CSV in UTF-8',
};

async function readParquet(staging: DuckDBConnection, { file, copy }: SourceFile): Promise<readonly SourceColumn[]> {
  const from = `FROM read_parquet('${copy}')`;
  try {
    const described = await readRows(staging, `SELECT column_name, column_type FROM (DESCRIBE ${from})`);
    const columns = described.map(([name, type]) => ({ name: String(name), type: String(type) }));
    const unknown = columns.find(({ type }) => !READABLE_TYPE.test(type));
    if (unknown !== undefined) {
      throw new OwnTableError(
        `${file}: the column ${quoteValue(unknown.name)} has the type ${unknown.type}, which no table can store. ` +
          'Write it as text, a number, a date or a time.',
      );
    }
    const texts = columns.map(({ name }, index) => `${quoteName(name)}::VARCHAR AS c${index}`).join(', ');
    await createRows(staging, `SELECT ${texts} ${from}`);
    return columns;
  } catch (error) {
    throw error instanceof OwnTableError ? error : unreadableError(file, 'Parquet', error);
  }
}

/** The Parquet types whose values can be read from their text. */
const READABLE_TYPE =
  /^(BOOLEAN|U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(\d+,\d+\)|VARCHAR|UUID|DATE|TIME|TIMESTAMP(_S|_MS|_NS)?|TIMESTAMP WITH TIME ZONE|ENUM\(.*\))$/;

function unreadableError(file: string, format: string, error: unknown): Error {
  const [reason = ''] = (error as Error).message.split('\n');
  const hint = /state machine/.test(reason) ? ' The lines may have different ends (CRLF and LF).' : '';
  return new OwnTableError(
    `${file}: the file cannot be read as ${format}: ${reason.replace(/^.*? Error: /, '')}${hint}`,
    {
      cause: error,
    },
  );
}

/** The first line of a CSV file. */
interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
}

/** Reads the delimiter and the names of the columns. `file` is for messages. Throws `OwnTableError`. */
async function readCsvHeader(path: string, file: string): Promise<CsvHeader> {
  const line = decodeLine(await readStart(path), file);
  const delimiter = findDelimiter(line);
  const names = line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  return { delimiter, names };
}

/** The maximum length of the header line. */
const MAX_HEADER_BYTES = 16_384;

async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function decodeLine(start: Buffer, file: string): string {
  if (start.includes(0)) {
    const encoding = /^(?:\xff\xfe|\xfe\xff)/.test(start.toString('latin1')) ? 'UTF-16' : 'not text';
    throw new OwnTableError(`${file}: the file is ${encoding}. Save it as CSV in UTF-8.`);
  }
  const end = start.findIndex((byte) => byte === NEW_LINE || byte === CARRIAGE_RETURN);
  if (end === -1 && start.length === MAX_HEADER_BYTES) {
    throw new OwnTableError(
      `${file}: the first line has more than ${MAX_HEADER_BYTES} bytes, expected the names of the columns.`,
    );
  }
  try {
    // `TextDecoder` removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(end === -1 ? start : start.subarray(0, end));
  } catch {
    throw new OwnTableError(`${file}: line 1 is not UTF-8. Save the file as CSV in UTF-8.`);
  }
}

const NEW_LINE = 10;
const CARRIAGE_RETURN = 13;

/**
 * Finds the delimiter. Names contain none of these characters, so it is the most frequent one. Without any of them, the file has one
 * column.
 */
function findDelimiter(line: string): string {
  const counts = [',', ';', '\t'].map((delimiter) => [line.split(delimiter).length, delimiter] as const);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best))[1];
}
