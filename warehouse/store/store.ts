import type { DuckDBConnection } from '@duckdb/node-api';
import type { BoundValue, Cell } from '../../engine/index.js';
import type { ComputedTable, MergedTable } from '../tables/derived-table.js';

/**
 * Where the tables are, and how they are written: in a DuckDB file or in a database that speaks MySQL's protocol.
 *
 * What an import reads and merges is computed on the workbench, a DuckDB connection, in one dialect for all stores. A
 * workbench has the tables of the warehouse: in a DuckDB file they are the tables themselves, elsewhere they are empty
 * ones into which `Tables.bring` copies the rows that are needed and from which `Tables.put` writes them back.
 */
export interface Store {
  /** Events after which an import commits when it is not told otherwise. */
  readonly batchEvents: number;
  /** Runs `work` in a transaction: all that it wrote is there afterwards, or nothing. One at a time, in all processes. */
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * As `write`, after statements, in the MySQL dialect, that make or change tables. Where the database commits each of
   * those by itself, they may have run before; what they find done already is no error.
   */
  define<T>(statements: readonly string[], work: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Makes the text of those of these tables that exist compare by its exact bytes, where it does not do so yet. May be interrupted
   * and repeated.
   */
  compareExactly(tables: readonly string[]): Promise<void>;
  /** Runs `work` on the workbench, outside of any transaction; `write` and this wait for each other. */
  workbench<T>(work: (bench: DuckDBConnection) => Promise<T>): Promise<T>;
  /** Runs work that one process does at a time, known by a name. Throws `OccupiedError` after `waitSeconds`. */
  alone<T>(work: string, waitSeconds: number, run: () => Promise<T>): Promise<T>;
  /** Puts the tables in the order in which they are best read, where the store has one. */
  settle(): Promise<void>;
}

/** Somebody else does work that one does alone. `holder` names them as well as the database can tell. */
export class OccupiedError extends Error {
  override readonly name = 'OccupiedError';

  constructor(
    readonly work: string,
    readonly holder: string,
  ) {
    super(`Another ${work} is at work on this database, in ${holder}.`);
  }
}

/** The tables within one transaction. Values are bound as `:p1`, `:p2`…, dates and times as text. */
export interface Tables {
  /** The rows of a SELECT in the MySQL dialect. */
  rows(select: string, values?: readonly BoundValue[]): Promise<readonly (readonly Cell[])[]>;
  /** Runs a plain DELETE or UPDATE that every database understands as it is. */
  run(statement: string, values?: readonly BoundValue[]): Promise<void>;
  /** Adds the rows of a SELECT in the MySQL dialect, whose columns stand in the order of `columns`. */
  insert(table: string, columns: readonly string[], select: string, values?: readonly BoundValue[]): Promise<void>;
  /** Adds rows whose values stand in the order of the table's columns. */
  insertRows(table: string, rows: readonly (readonly PlainValue[])[]): Promise<void>;

  readonly bench: DuckDBConnection;
  /** Adds the rows of a SELECT on the workbench, columns by name. */
  append(table: string, select: string): Promise<void>;
  /** Adds the groups of a table on the workbench to those that are there. */
  merge(table: MergedTable, groups: string): Promise<void>;
  /** Computes the rows of some keys of a table anew; `keys` selects them on the workbench. */
  recompute(table: ComputedTable, keys: string): Promise<void>;
  /** Makes sure that the workbench has the rows with the keys that a SELECT on the workbench gives. */
  bring(table: string, key: string, keys: string): Promise<void>;
  /** The same for rows that meet a condition, which every database understands as it is. */
  bringWhere(table: string, condition: string): Promise<void>;
  /** Makes a temporary table of the workbench with the rows whose keys, numbers or texts, a SELECT on the workbench gives. */
  copy(table: string, key: string, keys: string, into: string): Promise<void>;
  /** Deletes the rows whose keys a SELECT on the workbench gives. */
  remove(table: string, key: string, keys: string): Promise<void>;
  /** Makes the rows that the workbench has of a table, all of them brought before, the table's own. */
  put(table: string): Promise<void>;
}

export type PlainValue = string | number | bigint | null;
