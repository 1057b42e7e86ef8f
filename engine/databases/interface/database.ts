import type { Deadline, QueryLimits } from './deadline.js';

/** A bound parameter of a query. Dates and times are text: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` (UTC). */
export type BoundValue = string | number | bigint | boolean | null;

/**
 * One cell as a driver returns it, without loss: 64-bit integers beyond 2^53 as bigint, DECIMAL as text,
 * DATE as `YYYY-MM-DD`, DATETIME and TIMESTAMP as `YYYY-MM-DD HH:MM:SS` (with a fraction only if it is not zero),
 * booleans as 0 or 1, as in MySQL.
 */
export type Cell = string | number | bigint | null;

/** A column as the database describes it. `type` is the engine's data type that is nearest to the type of the database. */
export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}

/** A column of a query that did not run. */
export interface DescribedColumn extends ResultColumn {
  /** The digits after the decimal point of a DECIMAL. */
  readonly scale?: number;
  /** Whether the column can be NULL; absent if the database does not know this. */
  readonly nullable?: boolean;
}

/** Rows are arrays in column order. `more` is true if the database had rows beyond `maxRows`. */
export interface ResultSet {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly more: boolean;
  /** The time of the copy, if the rows come from a copy of the data. The copy does not contain changes after this time. */
  readonly copiedAt?: Date;
}

/** A query in the dialect of the database. `Database.prepare` creates it once, and every request uses it. */
export interface PreparedQuery {
  /** The SQL text that the database runs. */
  readonly sql: string;
}

export type QueryOptions = QueryLimits & {
  /** The database stops reading after this many rows. */
  readonly maxRows: number;
};

export type ExplainOptions = QueryOptions & {
  /** Whether code reads the plan, so that it needs a structured format. A database with only one plan format ignores this option. */
  readonly forProgram?: boolean;
};

/** Receives the rows of a query while the database returns them. */
export interface RowReceiver {
  /** Called once, before the first rows. */
  columns(columns: readonly ResultColumn[]): void;
  /**
   * Receives the next rows. The database reads no further rows until the promise resolves. If it rejects, or if the
   * method throws, the database stops the query, which fails with this error.
   */
  rows(rows: readonly (readonly Cell[])[]): Promise<void> | undefined;
}

export interface StreamOptions {
  readonly deadline: Deadline;
  /** The database stops reading after this many rows. */
  readonly maxRows: number;
  readonly receive: RowReceiver;
}

/** The use of the connection pool of a database. */
export interface PoolUse {
  readonly size: number;
  readonly busy: number;
  /** The number of queries that wait for a connection. */
  readonly waiting: number;
}

/**
 * What the engine requires from a database. SQL is in the MySQL dialect, with the placeholders `:p1`, `:p2`, … for
 * bound parameters. The number is the position in `values`, so a placeholder can appear anywhere and more than once.
 */
export interface Database {
  /** The name in `data.result.databases`. */
  readonly name: string;
  /** The maximum number of concurrent queries; further queries wait. */
  readonly concurrency: number;
  /** The current use of its connections. Absent if the database shares the connections of another one. */
  readonly pool?: PoolUse;
  /** Translates without access to the database. Throws `UntranslatableSqlError` if the dialect has no equivalent. */
  prepare(sql: string): PreparedQuery;
  query(query: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet>;
  /**
   * Passes the rows of a query to a receiver in batches, so that only few of them are in memory. Resolves after the receiver has taken all
   * rows; `more` is true if the database had rows beyond `maxRows`. The method is absent if the database cannot stream.
   */
  stream?(
    query: PreparedQuery,
    values: readonly BoundValue[],
    options: StreamOptions,
  ): Promise<{ readonly more: boolean }>;
  /**
   * Looks up the tables, columns and functions that the query names, without running it. Returns the result columns. A type that depends on
   * the values of placeholders can differ in an actual result. Rejects with an `EngineError` if the database is unavailable, and with the
   * error of the driver if the database rejects the query. The method is absent if the queries of this database are not known in advance.
   */
  describe?(query: PreparedQuery, limits: QueryLimits): Promise<readonly DescribedColumn[]>;
  /**
   * Returns the columns of each table and view that queries can read, with the upper and lower case of the database. Messages about
   * unknown names suggest names of this list. The method is absent if a database does not list its tables.
   */
  listColumns?(limits: QueryLimits): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Returns the query plan without running the query. */
  explain(query: PreparedQuery, values: readonly BoundValue[], options: ExplainOptions): Promise<ResultSet>;
  /** Resolves when the database answers, rejects with `database_unavailable` otherwise. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The part of a database that is needed to check whether a query can be translated for it. */
export type Dialect = Pick<Database, 'name' | 'prepare'>;
