import type { BindParams, SqlJsStatic } from 'sql.js';
import type { QuestionResult, ResultField, ResultValue } from '../questions/question.js';
import { type SqliteColumn, sqliteColumns } from './sqlite-columns.js';

/** The part of a result that the file contains. */
export type FileResult = Pick<QuestionResult, 'fields' | 'rows'>;

/** The maximum numbers of rows, columns and characters of a file. The results of questions are smaller. */
export const FILE_LIMITS = { rows: 50_000, columns: 1_000, characters: 16_000_000 } as const;

/**
 * Writes a SQLite database file with one table, `result`, that contains the rows of a result. Integers of 64 bits, NULL
 * and text are exact. A column with other numbers that SQLite cannot store exactly is text.
 *
 * Throws a `RangeError` for a result without columns, and for one beyond `FILE_LIMITS`.
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

/** Loads SQLite when the first file is written: it takes 50 ms and some megabytes of memory. */
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

function cellOf(row: Readonly<Record<string, ResultValue>>, name: ResultField['name']): ResultValue {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

function declare({ name, type }: SqliteColumn): string {
  return `"${name.replaceAll('"', '""')}" ${type}`;
}
