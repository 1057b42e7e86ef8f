import type { DuckDBConnection } from '@duckdb/node-api';
import { Turns } from '../mutex.js';
import { untilOr } from '../reader-pool.js';
import { explainUnwritten } from './connection/broken-file.js';

/** The one connection that writes. Calls run one after the other, in the order of asking. */
export class Writer {
  readonly #connection: DuckDBConnection;
  readonly #turns = new Turns();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Runs `work` in a transaction: everything it wrote is there afterwards, or nothing when it throws. */
  transaction<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.alone(async (connection) => {
      await connection.run('BEGIN TRANSACTION');
      try {
        const result = await work(connection);
        await connection.run('COMMIT');
        return result;
      } catch (error) {
        await rollBack(connection);
        throw error;
      }
    });
  }

  /** Runs `work` without a transaction, for statements that allow none, such as CHECKPOINT. */
  async alone<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    try {
      return await this.#turns.take(() => work(this.#connection));
    } catch (error) {
      throw explainUnwritten(error);
    }
  }

  /** Waits `graceMs` for running and queued work, interrupts what is left, then runs `last` and disconnects. */
  async close(graceMs: number, last: (connection: DuckDBConnection) => Promise<unknown>): Promise<void> {
    await untilOr(this.#turns.close(), graceMs, () => this.#connection.interrupt());
    try {
      // The interrupt may have hit the ROLLBACK, too.
      await rollBack(this.#connection);
      await last(this.#connection);
    } finally {
      this.#connection.closeSync();
    }
  }
}

/** After a failed COMMIT there is no transaction to roll back, and the first error is the one worth telling. */
async function rollBack(connection: DuckDBConnection): Promise<void> {
  try {
    await connection.run('ROLLBACK');
  } catch {}
}
