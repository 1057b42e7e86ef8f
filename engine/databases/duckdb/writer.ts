import type { DuckDBConnection } from '@duckdb/node-api';
import { Deadline } from '../interface/deadline.js';
import { Mutex } from '../mutex.js';
import { interruptAtDeadline } from '../reader-pool.js';
import { explainWriteError } from './connection/file-errors.js';

export interface WriterSteps {
  /** Runs before each call. Rejects if changes would be lost, for example because the file was removed. */
  before(): Promise<void>;
  /** Runs after each call, also if it fails. */
  after(): Promise<unknown>;
}

/** A connection that writes. Calls run one at a time, in their order. */
export class Writer {
  readonly #connection: DuckDBConnection;
  readonly #steps: WriterSteps;
  readonly #mutex = new Mutex();

  constructor(connection: DuckDBConnection, steps: WriterSteps) {
    this.#connection = connection;
    this.#steps = steps;
  }

  /** Runs `work` in a transaction, which is rolled back if `work` throws. */
  transaction<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.withoutTransaction(async (connection) => {
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

  /** Runs `work` without a transaction, for statements that do not allow one, such as CHECKPOINT. */
  async withoutTransaction<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run(async () => {
        await this.#steps.before();
        return await work(this.#connection).finally(this.#steps.after);
      });
    } catch (error) {
      throw explainWriteError(error);
    }
  }

  /** Waits `graceMs` for running and queued work, interrupts the rest, then runs `last` and disconnects. */
  async close(graceMs: number, last: (connection: DuckDBConnection) => Promise<unknown>): Promise<void> {
    const grace = new Deadline({ timeoutMs: graceMs });
    try {
      await interruptAtDeadline(this.#mutex.close(), grace, () => this.#connection.interrupt());
      // The interrupt may also have stopped the ROLLBACK.
      await rollBack(this.#connection);
      await last(this.#connection);
    } finally {
      grace.end();
      this.#connection.closeSync();
    }
  }
}

/** Ignores errors: after a failed COMMIT no transaction is open, and the error of the COMMIT must reach the caller. */
async function rollBack(connection: DuckDBConnection): Promise<void> {
  try {
    await connection.run('ROLLBACK');
  } catch {}
}
