import { randomBytes } from 'node:crypto';
import type { DataType } from './data-types.js';
import type { DataVersion } from './data-versions.js';
import type { BoundValue } from './database.js';

/** The table with the state of every materialized table. Its columns are those of `RollupState`, and the name of the table. */
export const ROLLUP_STATE = 'repo_insight_rollups';

/** The database in memory in which an embedded database has the views of materialized tables. Queries find them by their names alone. */
export const ROLLUP_DATABASE = 'repo_insight_rollup_views';

/** The state of a materialized table after its last refresh. Times are `YYYY-MM-DD HH:MM:SS` in UTC. */
export interface RollupState {
  /** Different after each refresh. */
  readonly version: DataVersion;
  /** Identifies the definition of the rows. */
  readonly definition: string;
  readonly refreshedAt: string;
  /** The last refresh of all rows. */
  readonly fullAt: string;
  /** The result of `data_as_of` before the refresh; null without one. */
  readonly dataAsOf: string | null;
  /** The versions of the tables in `after` before the refresh, as JSON. */
  readonly sources: string;
  readonly rows: number;
}

export interface RollupColumn {
  readonly name: string;
  readonly dataType: DataType;
  /** The number of digits after the point; undefined for all digits. */
  readonly scale: number | undefined;
  readonly isNullable: boolean;
  readonly description: string;
}

/** A refresh: the query of the rows and where they are stored. */
export interface RollupWrite {
  readonly table: string;
  readonly description: string;
  /** The columns of the query, in their order. */
  readonly columns: readonly RollupColumn[];
  readonly key: readonly string[];
  readonly watermark: string | undefined;
  /** SQL in the MySQL dialect with the placeholders `:p1…:pN` for `values`. */
  readonly sql: string;
  readonly values: readonly BoundValue[];
  /** Only rows from this value of a column on are replaced. Undefined if all rows are replaced. */
  readonly from: { readonly column: string; readonly value: BoundValue } | undefined;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly state: Omit<RollupState, 'rows' | 'version'>;
}

/** The rows of materialized definitions as tables, which queries of the same database read. */
export interface RollupStore {
  /** Returns the state of each materialized table by name. A table whose first refresh has not ended has no state. */
  states(): Promise<ReadonlyMap<string, RollupState>>;
  /** Returns the largest value of a column; null without rows or without the table. */
  largest(table: string, column: string): Promise<BoundValue>;
  /**
   * Replaces rows in one step: a query sees all rows before or all rows after the refresh. Rejects with a `RollupError`, an
   * `AllRowsNeededError` or a driver error.
   */
  write(write: RollupWrite): Promise<RollupState>;
  /** Returns those of these names that are tables or views which this store did not create. */
  foreign(tables: readonly string[]): Promise<readonly string[]>;
  /** Runs work that only one process does at a time. Resolves to undefined without running it if another process does it. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
}

/** Returns the versions of materialized tables, and of the table of their states, which changes with each of them. */
export function rollupVersions(states: ReadonlyMap<string, RollupState>): ReadonlyMap<string, DataVersion> {
  const all = [...states].map(([table, { version }]) => [table, version] as const);
  return new Map([...all, [ROLLUP_STATE, all.map(([, version]) => version).join()]]);
}

/** A refresh that failed because of its rows or its table. The message is for the author and the operator. */
export class RollupError extends Error {
  override readonly name = 'RollupError';
}

/** A refresh from a watermark on that cannot keep the other rows, because the types of the columns have changed or the table is lost. */
export class AllRowsNeededError extends Error {
  override readonly name = 'AllRowsNeededError';
}

export function createVersion(): DataVersion {
  return randomBytes(9).toString('base64url');
}

export function tooManyRowsError(table: string, maxRows: number): RollupError {
  return new RollupError(
    `The query returns more than ${maxRows} rows for ${table} (materialize.rows). The previous rows stay.`,
  );
}

/** The values of a text have another order than its times or numbers, so that a refresh would lose rows. */
export function watermarkError(column: string | undefined, type: string): RollupError {
  return new RollupError(
    `The watermark ${column} has the type ${type}, expected a date, a time or a whole number: use CAST, such as CAST(… AS DATE).`,
  );
}

export function otherTableError(table: string): RollupError {
  return new RollupError(`The database has another table ${table}: rename the definition, and so its table.`);
}
