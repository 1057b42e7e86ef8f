import type { BindParams, SqlJsStatic } from 'sql.js';
import type { ChartField, ChartFields } from '../../engine/charts/result-column.js';
import type { QuestionResult, ResultValue } from '../questions/question.js';

/** The part of a result that is written to the file. */
export type FileResult = Pick<QuestionResult, 'fields' | 'rows'>;

/** The maximum numbers of rows, columns and characters of a file. The results of questions are smaller. */
export const FILE_LIMITS = { rows: 50_000, columns: 1_000, characters: 16_000_000 } as const;

/**
 * Writes a SQLite database file with one table, `result`, that contains the rows of a result. Integers of 64 bits, NULL and text are exact.
 * A column with other numbers that SQLite cannot store exactly becomes text.
 *
 * Throws a `RangeError` for a result without columns, and for a result that exceeds `FILE_LIMITS`.
 */
export async function writeSqliteFile(result: FileResult): Promise<Uint8Array> {
  requireBounded(result);
  const sqlite = await loadSqlite();
  const columns = sqliteColumns(result.fields, result.rows);
  const database = new sqlite.Database();
  try {
    database.run(`CREATE TABLE "result" (${columns.map(declare).join(', ')})`);
    const insert = database.prepare(`INSERT INTO "result" VALUES (${columns.map(() => '?').join(', ')})`);
    database.run('BEGIN');
    for (const row of result.rows) {
      insert.run(columns.map(({ field, write }) => write(cellOf(row, field))) as BindParams);
    }
    database.run('COMMIT');
    insert.free();
    return database.export();
  } finally {
    database.close();
  }
}

let loading: Promise<SqlJsStatic> | undefined;

/** Loads SQLite on first use, because it takes 50 ms and several megabytes of memory. */
function loadSqlite(): Promise<SqlJsStatic> {
  loading ??= import('sql.js')
    .then(({ default: initialize }) => initialize())
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function requireBounded({ fields, rows }: FileResult): void {
  if (fields.length === 0) throw new RangeError('A SQLite table needs a column; the result has none.');
  requireAtMost('columns', fields.length);
  requireAtMost('rows', rows.length);
  let characters = 0;
  for (const row of rows) {
    for (const { name } of fields) {
      const cell = cellOf(row, name);
      if (typeof cell === 'string') characters += cell.length;
    }
  }
  requireAtMost('characters', characters);
}

function requireAtMost(name: keyof typeof FILE_LIMITS, count: number): void {
  if (count <= FILE_LIMITS[name]) return;
  throw new RangeError(`The result has ${count} ${name}; a SQLite file contains at most ${FILE_LIMITS[name]}.`);
}

function cellOf(row: Readonly<Record<string, ResultValue>>, name: ChartField['name']): ResultValue {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

function declare({ name, type }: SqliteColumn): string {
  return `"${name.replaceAll('"', '""')}" ${type}`;
}

/** A column of a SQLite table. */
interface SqliteColumn {
  /** The name of the column in the result. */
  readonly field: string;
  /** The name in the table. SQLite ignores the case of ASCII letters, so names must differ in more than case. */
  readonly name: string;
  readonly type: 'INTEGER' | 'NUMERIC' | 'REAL' | 'TEXT';
  /** Converts a value of the result to the value that is passed to SQLite. */
  readonly write: (value: ResultValue) => ResultValue;
}

/** Chooses the columns of a table that stores all values of a result exactly. */
function sqliteColumns(fields: ChartFields, rows: QuestionResult['rows']): SqliteColumn[] {
  const names = distinctNames(fields.map(({ name }) => storableText(name)));
  return fields.map(({ name: field, columnType }, index) => {
    const values = rows.map((row) => (Object.hasOwn(row, field) ? (row[field] ?? null) : null));
    const type = chooseType(columnType.toUpperCase(), values);
    return { field, name: names[index] ?? '', type, write: WRITERS[type] };
  });
}

const INTEGERS = new Set([...['BIGINT', 'UNSIGNED BIGINT', 'INT', 'TINYINT', 'MEDIUMINT', 'SMALLINT', 'YEAR', 'BIT']]);
const REALS = new Set(['DOUBLE', 'FLOAT']);

/** Numbers are passed as text, which SQLite converts in these columns, so that integers beyond 2^53 are exact. */
const WRITERS: Readonly<Record<SqliteColumn['type'], SqliteColumn['write']>> = {
  INTEGER: writeText,
  NUMERIC: writeNumber,
  REAL: writeNumber,
  TEXT: writeText,
};

function chooseType(columnType: string, values: readonly ResultValue[]): SqliteColumn['type'] {
  if (INTEGERS.has(columnType)) return values.every(isStoredAsInteger) ? 'INTEGER' : 'TEXT';
  if (REALS.has(columnType)) return values.every((value) => typeof value !== 'string') ? 'REAL' : 'TEXT';
  // A DECIMAL column can contain sums of integers, which must not get a fraction.
  if (columnType !== 'DECIMAL') return 'TEXT';
  return values.every((value) => typeof value === 'number' || isStoredAsInteger(value)) ? 'NUMERIC' : 'TEXT';
}

/** Returns true for NULL and for integers of 64 bits. SQLite would convert other digits to floating point numbers. */
function isStoredAsInteger(value: ResultValue): boolean {
  if (value === null) return true;
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return INTEGER.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}

/** The digits of an integer without leading zeros, as databases write them. */
const INTEGER = /^-?(0|[1-9]\d{0,18})$/;

function writeNumber(value: ResultValue): ResultValue {
  return Number.isInteger(value) ? writeText(value) : value;
}

function writeText(value: ResultValue): ResultValue {
  return value === null ? null : storableText(String(value));
}

/** Replaces halves of surrogate pairs, which UTF-8 cannot express. */
function storableText(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** Appends a number to names that SQLite would treat as equal. Replaces NUL, which would end the SQLite statement. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const storable = names.map((name) => name.replaceAll('\0', '\ufffd'));
  const folded = storable.map(foldCase);
  return storable.map((name) => {
    let free = name;
    for (let number = 2; taken.has(foldCase(free)) || (free !== name && folded.includes(foldCase(free))); number++) {
      free = `${name}_${number}`;
    }
    taken.add(foldCase(free));
    return free;
  });
}

/** Converts only ASCII letters to lower case, as SQLite does. */
function foldCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
