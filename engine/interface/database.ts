import type { QueryLimits } from './deadline.js';

/** A value that a query binds. Dates and times travel as text: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` (UTC). */
export type BoundValue = string | number | bigint | boolean | null;

/**
 * One cell as a driver hands it over, lossless: 64-bit integers beyond 2^53 as bigint, DECIMAL as text,
 * DATE as `YYYY-MM-DD`, DATETIME and TIMESTAMP as `YYYY-MM-DD HH:MM:SS` (a fraction only where it is not zero),
 * booleans as 0 or 1, as the MySQL dialect has them.
 */
export type Cell = string | number | bigint | null;

/** A column as the database describes it. `type` is one of the engine's data types, the nearest the driver knows. */
export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}

/** Rows are arrays in column order. `more` tells that the database had rows beyond `maxRows`. */
export interface ResultSet {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly more: boolean;
  /** Set where the rows come from a copy of the data that is not the newest: changes after this moment are not in it. */
  readonly copiedAt?: Date;
}

/** A query in the database's own dialect, made once by `Database.prepare` and used for every request. */
export interface PreparedQuery {
  /** The text that the database runs. */
  readonly sql: string;
}

export type QueryOptions = QueryLimits & {
  /** Reading stops after this many rows. */
  readonly maxRows: number;
};

/**
 * What the engine needs of a database. SQL is written in the MySQL dialect with `:p1`, `:p2`, … for the bound
 * values (the number is the position in `values`, so a marker may stand anywhere and more than once).
 */
export interface Database {
  /** The name that `data.result.databases` shows. */
  readonly name: string;
  /** Queries that it answers at the same time; more wait. */
  readonly concurrency: number;
  /** Translates without touching the database. Throws `UntranslatableSqlError` where the dialect cannot say it. */
  prepare(sql: string): PreparedQuery;
  query(query: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet>;
  /**
   * Looks up the tables, columns and functions that the query names, without running it; gives the names of its columns. Fails with
   * an `EngineError` where the database cannot be asked, and with its own error where it does not take the query. Left out by
   * databases whose queries nobody knows beforehand.
   */
  describe?(query: PreparedQuery, limits: QueryLimits): Promise<readonly string[]>;
  /** The database's plan for the query, without running it. */
  explain(query: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet>;
  /** Resolves when the database answers, rejects with `database_unavailable` otherwise. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What of a database is needed to see whether it can be asked a query. */
export type Dialect = Pick<Database, 'name' | 'prepare'>;
