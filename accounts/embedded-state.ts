import type { DuckDBConnection } from '@duckdb/node-api';
import {
  BulkheadRejectedError,
  bulkhead,
  type IPolicy,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import { readRows, toDuckdbMarkers } from '../engine/databases/duckdb/connection/read-rows.js';
import type { EmbeddedDatabase } from '../engine/databases/duckdb/embedded.js';
import { overloadedError, unavailableError } from '../engine/databases/failures.js';
import type { BoundValue, Cell } from '../engine/index.js';
import type { StateStore, StateTables } from './state-store.js';

/** The state in a DuckDB file. Transactions run one at a time, on a separate connection. */
export class EmbeddedState implements StateStore {
  readonly #database: EmbeddedDatabase;
  readonly #queue: IPolicy;

  /** `timeoutMs` is the time limit of a transaction, including its time in the queue. */
  constructor(database: EmbeddedDatabase, { timeoutMs = 5_000, maxWaiting = 1_000 } = {}) {
    this.#database = database;
    this.#queue = wrap(timeout(timeoutMs, TimeoutStrategy.Aggressive), bulkhead(1, maxWaiting));
  }

  async transaction<T>(work: (tables: StateTables) => Promise<T>): Promise<T> {
    try {
      return await this.#queue.execute(() => this.#database.change((connection) => work(tablesOf(connection))));
    } catch (error) {
      if (error instanceof BulkheadRejectedError)
        throw overloadedError('Too many changes already wait for the database.');
      if (error instanceof TaskCancelledError) throw unavailableError('The database did not store the change in time.');
      throw error;
    }
  }

  async eraseDeleted(): Promise<void> {
    await this.#database
      .eraseDeleted((table) => /^(sys|explorer)_/.test(table))
      .catch((error: Error) => {
        const result = 'The rows are deleted, but their values are not erased from the database file';
        throw new Error(`${result}: ${error.message} The next removal of a user erases them.`, { cause: error });
      });
  }
}

function tablesOf(connection: DuckDBConnection): StateTables {
  return {
    rows: (select, values = []) => readCells(connection, select, values),
    run: async (statement, values = []) => Number((await readCells(connection, statement, values))[0]?.[0] ?? 0),
  };
}

function readCells(
  connection: DuckDBConnection,
  sql: string,
  values: readonly BoundValue[],
): Promise<readonly (readonly Cell[])[]> {
  return readRows(connection, toDuckdbMarkers(sql), values);
}
