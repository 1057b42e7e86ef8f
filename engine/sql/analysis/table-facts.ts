import type { Result } from '../duckdb/tree/translator.js';

/** The type of a value, as far as it is known. */
export type ValueType = Result;

export interface ColumnFact {
  readonly type: ValueType;
  readonly isNullable: boolean;
  /** The values of an ENUM; absent for other types, and if they are unknown. */
  readonly values?: readonly string[];
}

export interface TableFact {
  /** The columns by their names, in lower case. */
  readonly columns: ReadonlyMap<string, ColumnFact>;
  /** The sets of columns that identify a row, in lower case. The columns of a key are never NULL. */
  readonly keys: readonly (readonly string[])[];
}

/** Returns the facts about a table with this name, in lower case; undefined if the table is unknown. */
export type TableFacts = (table: string) => TableFact | undefined;

/** Returns the type of the values of a column, whose type is in capital letters, as in MySQL or DuckDB. */
export function valueTypeOf(type: string): ValueType {
  return VALUE_TYPES.find(([names]) => names.test(type))?.[1] ?? 'unknown';
}

/** Returns the values of an ENUM type such as `ENUM('rye','wheat')`; undefined for other types. */
export function enumValuesOf(type: string): readonly string[] | undefined {
  if (!/^ENUM\s*\(.*\)$/is.test(type)) return undefined;
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));
}

const VALUE_TYPES: readonly (readonly [names: RegExp, type: ValueType])[] = [
  [/^(?:(?:VAR)?CHAR|(?:TINY|MEDIUM|LONG)?TEXT|ENUM|SET)\b(?!.*\[\])/, 'text'],
  [
    /^(?:U?(?:TINY|SMALL|MEDIUM|BIG|HUGE)?INT|INTEGER|UINTEGER|DECIMAL|NUMERIC|DOUBLE|FLOAT|REAL|BOOLEAN|YEAR)\b(?!.*\[\])/,
    'number',
  ],
  [/^DATE$/, 'date'],
  [/^(?:DATETIME|TIMESTAMP)\b(?!.*\[\])/, 'datetime'],
  [/^TIME\b(?!.*\[\])/, 'time'],
  [/^JSON$/, 'json'],
];
