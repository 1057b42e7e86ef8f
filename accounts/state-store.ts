import type { BoundValue, Cell } from '../engine/index.js';

/**
 * Where the service keeps what its users choose, in the database of the events. Its transactions are small: they neither
 * wait for an import nor hold one up.
 */
export interface StateStore {
  /**
   * Runs `work` in a transaction: all that it wrote is there afterwards, or nothing. Where it met another transaction it
   * is run again, so it must not change anything else. Throws `EngineError` where the database is away or too slow.
   */
  transaction<T>(work: (tables: StateTables) => Promise<T>): Promise<T>;
}

/** SQL that every database understands as it is; values are bound as `:p1`, `:p2`…, times as text. */
export interface StateTables {
  /** The rows of a SELECT. No other transaction changes them before this one has ended. */
  rows(select: string, values?: readonly BoundValue[]): Promise<readonly (readonly Cell[])[]>;
  /** Runs an INSERT, UPDATE or DELETE; resolves to the number of rows that it met. */
  run(statement: string, values?: readonly BoundValue[]): Promise<number>;
}
