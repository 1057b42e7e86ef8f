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
import { toDuckdbMarkers } from '../databases/duckdb/connection/markers.js';
import { readRows } from '../databases/duckdb/connection/read-rows.js';
import type { EmbeddedDatabase } from '../databases/duckdb/embedded.js';
import { overloadedError, unavailableError } from '../databases/failures.js';
import type { BoundValue, Cell } from '../engine/index.js';
import type { StateStore, StateTables } from './state-store.js';

/** The state in a DuckDB file: one transaction at a time, on a connection of their own. */
export class EmbeddedState implements StateStore {
  readonly #database: EmbeddedDatabase;
  readonly #turns: IPolicy;

  /** `timeoutMs` is what a transaction may take, waiting included. */
  constructor(database: EmbeddedDatabase, { timeoutMs = 5_000, maxWaiting = 1_000 } = {}) {
    this.#database = database;
    this.#turns = wrap(timeout(timeoutMs, TimeoutStrategy.Aggressive), bulkhead(1, maxWaiting));
  }

  async transaction<T>(work: (tables: StateTables) => Promise<T>): Promise<T> {
    try {
      return await this.#turns.execute(() => this.#database.change((connection) => work(tablesOf(connection))));
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw overloadedError('Too many changes wait already.');
      if (error instanceof TaskCancelledError) throw unavailableError('The database did not take the change in time.');
      throw error;
    }
  }
}

function tablesOf(connection: DuckDBConnection): StateTables {
  return {
    rows: (select, values = []) => ask(connection, select, values),
    run: async (statement, values = []) => Number((await ask(connection, statement, values))[0]?.[0] ?? 0),
  };
}

function ask(
  connection: DuckDBConnection,
  sql: string,
  values: readonly BoundValue[],
): Promise<readonly (readonly Cell[])[]> {
  return readRows(connection, toDuckdbMarkers(sql), values);
}
