/** The part of a table that untrusted SQL may read: these columns, and the rows for which the condition is true. */
export interface PublicTable {
  /** The name in the database, if it differs from the name in lower case. Names on a server can depend on upper and lower case. */
  readonly name?: string;
  readonly columns: readonly string[];
  /** A condition in the MySQL dialect over the columns of the table. */
  readonly where?: string;
  /** Whether the rows are restricted to those of the caller after the guard. Then no part of the SQL can see other rows, not even in an error. */
  readonly isRestricted?: boolean;
}

/** All tables that untrusted SQL may read, by their names in lower case. */
export type PublicTables = ReadonlyMap<string, PublicTable>;
