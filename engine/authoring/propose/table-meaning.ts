import type { KnownColumns } from '../../sql/outline/query-outline.js';

/** A column of a table for the author of a definition. */
export interface ColumnMeaning {
  /** The type of the database in capitals, such as `VARCHAR(40)`. */
  readonly type: string;
  readonly isNotNull: boolean;
  /** Absent if nothing describes the column. */
  readonly description?: string;
}

/** A table for the author of a definition. */
export interface TableMeaning {
  /** The words of names that are derived from the table, in lower case. */
  readonly words: string;
  /** Absent if nothing describes the table. */
  readonly description?: string;
  /** The columns that a definition may read, in their order. */
  readonly columns: ReadonlyMap<string, ColumnMeaning>;
  /** Columns that order the rows of the table completely. */
  readonly order: readonly string[];
  /** A SELECT of the time of the newest data; absent if it is unknown. */
  readonly dataAsOf?: string;
}

/** The tables of the database by name in lower case. */
export type TableMeanings = ReadonlyMap<string, TableMeaning>;

export function meaningOf(tables: TableMeanings, table: string, column: string): ColumnMeaning | undefined {
  return tables.get(table.toLowerCase())?.columns.get(column.toLowerCase());
}

/** Returns the names of the columns by table, for suggestions in messages. */
export function columnNames(tables: TableMeanings): ReadonlyMap<string, readonly string[]> {
  return new Map([...tables].map(([table, { columns }]) => [table, [...columns.keys()]]));
}

export function toKnownColumns(tables: TableMeanings): KnownColumns {
  return {
    hasColumn: (table, column) => meaningOf(tables, table, column) !== undefined,
    isNotNull: (table, column) => meaningOf(tables, table, column)?.isNotNull === true,
  };
}

/** Returns the texts in backticks of a description: for a column with few values, these values. */
export function valuesIn({ description = '' }: Pick<ColumnMeaning, 'description'>): string[] {
  return [...description.matchAll(/`([^`]+)`/g)].map(([, value]) => value ?? '');
}

/** Returns the first sentence of a description without the period. */
export function firstSentence(description: string): string {
  return (/^.*?[.;](?=\s|$)/s.exec(description)?.[0] ?? description).replace(/[.;]$/, '');
}
