import type { Result } from '../duckdb/tree/translator.js';

/** The type of a value, as far as it is known. */
export type ValueType = Result;

export interface ColumnFact {
  readonly type: ValueType;
  readonly isNullable: boolean;
}

export interface TableFact {
  /** The columns by their names, in lower case. */
  readonly columns: ReadonlyMap<string, ColumnFact>;
  /** The sets of columns that identify a row, in lower case. The columns of a key are never NULL. */
  readonly keys: readonly (readonly string[])[];
}

/** Returns the facts about a table with this name, in lower case; undefined if the table is unknown. */
export type TableFacts = (table: string) => TableFact | undefined;
