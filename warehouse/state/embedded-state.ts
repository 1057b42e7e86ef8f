import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import { readRows } from '../../databases/duckdb/read-rows.js';
import type { BoundValue, Cell } from '../../engine/database.js';
import type { StateStore, StateTables } from './state-store.js';

/** The state in a DuckDB file: one transaction at a time, on a connection of their own. */
export class EmbeddedState implements StateStore {
  readonly #database: EmbeddedDatabase;

  constructor(database: EmbeddedDatabase) {
    this.#database = database;
  }

  transaction<T>(work: (tables: StateTables) => Promise<T>): Promise<T> {
    return this.#database.change((connection) => work(tablesOf(connection)));
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
  return readRows(connection, sql.replace(/:p(\d+)/g, '$$$1'), values);
}
