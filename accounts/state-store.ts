import type { BoundValue, Cell } from '../engine/index.js';

/**
 * The storage of users and their choices (such as subscriptions), in the same database as the events. Transactions on
 * users are small, so that they and imports do not block each other.
 */
export interface StateStore {
  /**
   * Runs `work` in a transaction. `work` runs again after a conflict with another transaction, so it must have no other
   * effects. Throws `EngineError` if the database is unavailable or too slow.
   */
  transaction<T>(work: (tables: StateTables) => Promise<T>): Promise<T>;
  /**
   * Erases the values of deleted rows from the files of the database, as far as this program controls these files: a
   * database server keeps them in its pages, logs and backups.
   */
  eraseDeleted(): Promise<void>;
}

/** Runs SQL that every database understands without translation. Values are bound as `:p1`, `:p2`…; times are text. */
export interface StateTables {
  /** The rows of a SELECT, locked against other transactions until this one ends. */
  rows(select: string, values?: readonly BoundValue[]): Promise<readonly (readonly Cell[])[]>;
  /** Runs an INSERT, UPDATE or DELETE; resolves to the number of affected rows. */
  run(statement: string, values?: readonly BoundValue[]): Promise<number>;
}
