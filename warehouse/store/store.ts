import type { DuckDBConnection } from '@duckdb/node-api';
import type { BoundValue, Cell } from '../../engine/index.js';
import type { ComputedTable, GroupTable } from '../schema/derived-table.js';

/**
 * The storage of the tables: a DuckDB file or a database behind the MySQL protocol.
 *
 * An import reads and merges rows in the staging database, a DuckDB connection, so that its SQL is the same for all stores. The staging
 * database has the same tables as the warehouse. For a DuckDB file, it is the warehouse itself. For a server, its tables are empty:
 * `Tables.loadRows` copies the needed rows into them, and `Tables.writeBack` writes them to the server.
 */
export interface Store {
  /** The number of events after which an import commits by default. */
  readonly batchEvents: number;
  /** The number of provisional ids that one transaction of a migration merges. */
  readonly mergedIds: number;
  /** Runs `work` in a transaction, which is rolled back if `work` throws. Only one transaction runs at a time, across all processes. */
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Like `write`, but first runs statements, in the MySQL dialect, that create or change tables. If the database commits these statements
   * separately, an earlier interrupted call may have run some of them; this is not an error.
   */
  define<T>(statements: readonly string[], work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Replaces a table outside of the migrations, or creates it. Readers see either all old rows or all new rows. On failure, the table is
   * unchanged. While a server swaps the tables, the table has no version, so that no answer is cached under a wrong version.
   */
  replaceTable(replacement: TableReplacement): Promise<void>;
  /**
   * Drops a table that `replaceTable` created, if it exists. `record` changes other rows, in the same transaction or, on a server,
   * afterwards.
   */
  dropTable(name: string, record: (tables: Tables) => Promise<void>): Promise<void>;
  /** Changes existing tables so that they compare text by its exact bytes. After an interruption, it can be called again. */
  useExactCollation(tables: readonly string[]): Promise<void>;
  /** Runs `work` on the staging database, outside of a transaction. `work` never runs at the same time as `write`. */
  useStaging<T>(work: (staging: DuckDBConnection) => Promise<T>): Promise<T>;
  /**
   * Runs `run` under a lock, so that no other process runs work of the same name. Throws `AlreadyRunningError` if the lock is not free
   * after `waitSeconds`.
   */
  runExclusively<T>(work: string, waitSeconds: number, run: () => Promise<T>): Promise<T>;
  /**
   * Acquires an advisory lock, for work that should only run in one process at a time but may run in several. The lock does not delay other
   * work of this store. The lock ends early if the database closes its idle connection. Throws `AlreadyRunningError` if it is taken.
   */
  claim(work: string): Promise<Claim>;
  /** Sorts the tables for fast reads, if the store needs it. */
  optimize(): Promise<void>;
}

/** A held advisory lock. The lock is also released when the process ends. */
export interface Claim {
  release(): Promise<void>;
}

export interface TableReplacement {
  readonly name: string;
  /** Whether this program has created the table, so that it may exist. An unknown table of this name is an error. */
  readonly isKnown: boolean;
  /** Prepares the rows on the staging database. */
  stage(staging: DuckDBConnection): Promise<NewTable>;
  /** Stores the facts about the table. The function can be called twice. */
  record(tables: Tables): Promise<void>;
}

export interface NewTable {
  readonly columns: readonly string[];
  /** Returns the statement, in the MySQL dialect, that creates the table under a name. */
  create(name: string): string;
  /** SELECTs of parts of the rows on the staging database, with the columns in their order. The parts are written one by one. */
  readonly rows: readonly string[];
}

/** Thrown if another process, or another part of this process, runs the same exclusive work. `holder` describes this process or part. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';

  constructor(
    readonly work: string,
    readonly holder: string,
  ) {
    super(`Another ${work} is running on this database, in ${holder}. Try again when it has ended.`);
  }
}

/** Creates the error for a table that would be replaced but was created by another program. */
export function foreignTableError(name: string): Error {
  return new Error(
    `The database has a table ${name} that this program did not create. Use another name, or drop the table.`,
  );
}

/** The tables within one transaction. Values are bound to `:p1`, `:p2`, …; dates and times are texts. */
export interface Tables {
  /** Returns the rows of a SELECT in the MySQL dialect. */
  rows(select: string, values?: readonly BoundValue[]): Promise<readonly (readonly Cell[])[]>;
  /** Runs a DELETE or UPDATE that has the same text in every database. */
  run(statement: string, values?: readonly BoundValue[]): Promise<void>;
  /** Inserts the rows of a SELECT in the MySQL dialect. The columns of the SELECT must be in the order of `columns`. */
  insert(table: string, columns: readonly string[], select: string, values?: readonly BoundValue[]): Promise<void>;
  /** Inserts rows. The values of a row must be in the order of the table's columns. */
  insertRows(table: string, rows: readonly (readonly PlainValue[])[]): Promise<void>;

  readonly staging: DuckDBConnection;
  /** Inserts the rows of a SELECT on the staging database. Columns are matched by name. */
  append(table: string, select: string): Promise<void>;
  /** Merges the groups in a staging table into the stored groups. */
  merge(table: GroupTable, groups: string): Promise<void>;
  /** Computes the rows of some keys of a table again. `keys` is a SELECT of the keys on the staging database. */
  recompute(table: ComputedTable, keys: string): Promise<void>;
  /** Replaces all rows of a table by those of a SELECT that has the same text in every database. */
  refill(table: string, columns: readonly string[], select: string): Promise<void>;
  /** Copies the rows with these keys into the staging database. `keys` is a SELECT of the keys on the staging database. */
  loadRows(table: string, key: string, keys: string): Promise<void>;
  /**
   * Like `loadRows`, for the rows that match one of the conditions. The conditions must have the same text in every database, and must not
   * match the same row twice.
   */
  loadRowsWhere(table: string, conditions: readonly string[]): Promise<void>;
  /**
   * Creates a temporary table in the staging database with the rows that have these keys. `keys` is a SELECT of numbers or texts
   * on the staging database.
   */
  copy(table: string, key: string, keys: string, into: string): Promise<void>;
  /** Writes rows of a staging table: updates the stored rows with the same keys, and inserts the others. */
  writeRows(rows: NewRows): Promise<void>;
  /** Sets a column of all stored rows with the keys in a staging table, which has the key and the column. */
  setColumn(table: string, key: string, column: string, rows: string): Promise<void>;
  /** Deletes the rows with these keys. `keys` is a SELECT of the keys on the staging database. */
  remove(table: string, key: string, keys: string): Promise<void>;
  /** Writes new ids to stored events. */
  assignIds(assignment: IdAssignment): Promise<void>;
  /** Deletes the rows of a table whose keys are those of the groups in a staging table. */
  removeGroups(table: Pick<GroupTable, 'name' | 'keys'>, groups: string): Promise<void>;
  /** Writes all rows of a table in the staging database to the stored table. The rows must come from `loadRows` or have new keys. */
  writeBack(table: string): Promise<void>;
}

/** Rows with new values, in tables of the staging database. */
export interface NewRows {
  readonly table: string;
  readonly key: string;
  /** The staging table of the new rows, with all columns. */
  readonly rows: string;
  /** The staging table of the stored rows with these keys. */
  readonly stored: string;
  /** The columns except the key, in groups of columns that often change together. */
  readonly groups: readonly (readonly string[])[];
}

/**
 * New values for a column of github_events. `runs` is a table of the staging database: the events with `id` in the column `key`, from
 * `first_at` to `last_at`, get `target_id`.
 */
export interface IdAssignment {
  readonly column: string;
  readonly key: string;
  readonly runs: string;
}

export type PlainValue = string | number | bigint | null;
