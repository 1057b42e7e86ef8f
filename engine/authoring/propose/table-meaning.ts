import type { KnownColumns } from '../../sql/outline/query-outline.js';

/** The facts about a table column that are used to propose definitions. */
export interface ColumnMeaning {
  /** The database type in capital letters, such as `VARCHAR(40)`. */
  readonly type: string;
  readonly isNotNull: boolean;
  /** The name as in the database, if it differs from the key. */
  readonly name?: string;
  /** The description of the column; absent if it has no description. */
  readonly description?: string;
}

/** The facts about a table that are used to propose definitions. */
export interface TableMeaning {
  /** The words for names that are derived from the table, in lower case. */
  readonly words: string;
  /** The description of the table; absent if it has no description. */
  readonly description?: string;
  /** The columns that a definition may read, in their order. */
  readonly columns: ReadonlyMap<string, ColumnMeaning>;
  /** Columns that define a total order of the rows of the table. */
  readonly order: readonly string[];
  /** A SELECT that returns the time of the newest data; absent if it is unknown. */
  readonly dataAsOf?: string;
  /** The time of the last change, if a column of the database contains it. */
  readonly changedAt?: ChangeTime;
}

/** Where a database contains the time of the last change of a table. */
export interface ChangeTime {
  /** The expression of the time, such as `MAX(updated_at)`. */
  readonly value: string;
  /** The table of the expression, with a condition if it has one. */
  readonly from: string;
  /** The column, for messages. */
  readonly source: string;
  /** `utc` if the type of the column proves that its times are read as UTC, `local` if the server writes its local time into the column. */
  readonly zone: 'utc' | 'local' | 'unknown';
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

/** Returns the texts in backticks in a description. For a column with few values, they are its values. */
export function valuesIn({ description = '' }: Pick<ColumnMeaning, 'description'>): string[] {
  return [...description.matchAll(/`([^`]+)`/g)].map(([, value]) => value ?? '');
}

/** Returns the first sentence of a description without the period. */
export function firstSentence(description: string): string {
  return (/^.*?[.;](?=\s|$)/s.exec(description)?.[0] ?? description).replace(/[.;]$/, '');
}
