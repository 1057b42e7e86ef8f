/** The part of a table that untrusted SQL may read: these columns, and the rows for which the condition is true. */
export interface PublicTable {
  /** The name in the database, if it differs from the name in lower case. Names on a server can depend on upper and lower case. */
  readonly name?: string;
  readonly columns: readonly string[];
  /** A condition in the MySQL dialect over the columns of the table. */
  readonly where?: string;
}

/** All tables that untrusted SQL may read, by their names in lower case. */
export type PublicTables = ReadonlyMap<string, PublicTable>;
