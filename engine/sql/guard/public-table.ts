/** The part of a table that untrusted SQL may read: these columns, and the rows for which the condition is true. */
export interface PublicTable {
  readonly columns: readonly string[];
  /** A condition in the MySQL dialect over the columns of the table. */
  readonly where?: string;
}

/** All tables that untrusted SQL may read, by their names in lower case. */
export type PublicTables = ReadonlyMap<string, PublicTable>;
