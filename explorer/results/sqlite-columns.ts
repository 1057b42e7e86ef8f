import type { QuestionResult, ResultField, ResultValue } from '../questions/question.js';

/** A column of a SQLite table. */
export interface SqliteColumn {
  /** The name of the column in the result. */
  readonly field: string;
  /** The name in the table. SQLite needs names that differ in more than the case of ASCII letters. */
  readonly name: string;
  readonly type: 'INTEGER' | 'NUMERIC' | 'REAL' | 'TEXT';
  /** Converts a value for SQLite. */
  readonly write: (value: ResultValue) => ResultValue;
}

/** Returns the columns of a table that stores all values of a result exactly. */
export function sqliteColumns(fields: readonly ResultField[], rows: QuestionResult['rows']): SqliteColumn[] {
  const names = distinctNames(fields.map(({ name }) => storableText(name)));
  return fields.map(({ name: field, columnType }, index) => {
    const values = rows.map((row) => (Object.hasOwn(row, field) ? (row[field] ?? null) : null));
    const type = chooseType(columnType.toUpperCase(), values);
    return { field, name: names[index] ?? '', type, write: WRITERS[type] };
  });
}

const INTEGERS = new Set([...['BIGINT', 'UNSIGNED BIGINT', 'INT', 'TINYINT', 'MEDIUMINT', 'SMALLINT', 'YEAR', 'BIT']]);
const REALS = new Set(['DOUBLE', 'FLOAT']);

/** SQLite converts text to a number in these columns, so that integers beyond 2^53 are exact. */
const WRITERS: Readonly<Record<SqliteColumn['type'], SqliteColumn['write']>> = {
  INTEGER: writeText,
  NUMERIC: writeNumber,
  REAL: writeNumber,
  TEXT: writeText,
};

function chooseType(columnType: string, values: readonly ResultValue[]): SqliteColumn['type'] {
  if (INTEGERS.has(columnType)) return values.every(isStoredAsInteger) ? 'INTEGER' : 'TEXT';
  if (REALS.has(columnType)) return values.every((value) => typeof value !== 'string') ? 'REAL' : 'TEXT';
  // A DECIMAL can be a sum of integers, which should not get a fraction.
  if (columnType !== 'DECIMAL') return 'TEXT';
  return values.every((value) => typeof value === 'number' || isStoredAsInteger(value)) ? 'NUMERIC' : 'TEXT';
}

/** Returns true for NULL and for integers of 64 bits. Other digits become a floating point number in SQLite. */
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

/** Adds a number to names that SQLite would treat as equal. Replaces NUL, which ends a statement of SQLite. */
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

/** Folds the case of ASCII letters only, as SQLite does. */
function foldCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
