/** What untrusted SQL may read of a table: these columns, and the rows for which the condition holds. */
export interface PublicTable {
  readonly columns: readonly string[];
  /** A condition in the MySQL dialect over the columns of the table. */
  readonly where?: string;
}

/** Every table that untrusted SQL may read, by its name in lower case. */
export type PublicTables = ReadonlyMap<string, PublicTable>;
