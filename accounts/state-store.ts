import type { BoundValue, Cell } from '../engine/index.js';

/**
 * The storage of users and their choices (such as subscriptions), in the same database as the events. Transactions must be small, so that
 * they and imports do not block each other.
 */
export interface StateStore {
  /**
   * Runs `work` in a transaction. After a conflict with another transaction, `work` is called again, so it must have no other side effects.
   * Throws `EngineError` if the database is unavailable or too slow.
   */
  transaction<T>(work: (tables: StateTables) => Promise<T>): Promise<T>;
  /**
   * Erases the values of deleted rows from the files of the database, if this program controls these files. A database server may keep them
   * in pages, logs and backups.
   */
  eraseDeleted(): Promise<void>;
}

/** Runs SQL that every database understands without translation. Values are bound as `:p1`, `:p2`…; times are text. */
export interface StateTables {
  /** Returns the rows of a SELECT, and locks them until the end of the transaction. */
  rows(select: string, values?: readonly BoundValue[]): Promise<readonly (readonly Cell[])[]>;
  /** Runs an INSERT, UPDATE or DELETE; resolves to the number of affected rows. */
  run(statement: string, values?: readonly BoundValue[]): Promise<number>;
}
