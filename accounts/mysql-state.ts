import {
  ExponentialBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  type TimeoutPolicy,
  TimeoutStrategy,
  timeout,
} from 'cockatiel';
import { unavailableError } from '../engine/databases/failures.js';
import { type MysqlAddress, parseMysqlUrl, placeOf } from '../engine/databases/mysql/connection/address.js';
import { connectionOptions } from '../engine/databases/mysql/connection/connection-options.js';
import { classifyError, explainError } from '../engine/databases/mysql/connection/server-error.js';
import { WriteConnection } from '../engine/databases/mysql/write-connection.js';
import { type PooledReader, ReaderPool } from '../engine/databases/reader-pool.js';
import type { StateStore, StateTables } from './state-store.js';

export interface MysqlStateOptions {
  /** The `mysql://…` URL of an account with write access to the tables; see `parseMysqlUrl`. */
  readonly url: string;
  /** Maximum number of concurrent transactions. Default 4. */
  readonly connections?: number;
  /** Time limit of a transaction in milliseconds, including all waiting and all attempts. Default 5,000. */
  readonly timeoutMs?: number;
  /** Returns milliseconds of a monotonic clock. */
  readonly stopwatch?: () => number;
  /** Creates the time limit of an attempt. */
  readonly createLimit?: (ms: number) => TimeoutPolicy;
}

/** The state in a database with the MySQL protocol, on separate connections, which are opened on first use. */
export class MysqlState implements StateStore {
  readonly #address: MysqlAddress;
  readonly #timeoutMs: number;
  readonly #stopwatch: () => number;
  readonly #createLimit: (ms: number) => TimeoutPolicy;
  readonly #connections: ReaderPool<StateConnection>;

  constructor({
    url,
    connections = 4,
    timeoutMs = 5_000,
    stopwatch = () => performance.now(),
    createLimit = (ms) => timeout(ms, TimeoutStrategy.Aggressive),
  }: MysqlStateOptions) {
    this.#address = parseMysqlUrl(url);
    this.#timeoutMs = timeoutMs;
    this.#stopwatch = stopwatch;
    this.#createLimit = createLimit;
    const all = Array.from({ length: connections }, () => new StateConnection(this.#address));
    this.#connections = new ReaderPool(all, { maxWaiting: 1_000, maxWaitMs: timeoutMs });
  }

  async transaction<T>(work: (tables: StateTables) => Promise<T>): Promise<T> {
    const until = this.#stopwatch() + this.#timeoutMs;
    const attempts = retry(
      handleWhen((error) => isRetryable(error) && this.#stopwatch() < until),
      RETRIES,
    );
    try {
      return await attempts.execute(() => this.#attempt(work, until));
    } catch (error) {
      const place = placeOf(this.#address);
      if (error instanceof TaskCancelledError) {
        const cause = new Error(`The database at ${place} did not finish a transaction within ${this.#timeoutMs} ms.`);
        throw unavailableError('The database did not store the change in time.', cause);
      }
      throw explainError(error, place, this.#timeoutMs);
    }
  }

  /** Does nothing, because the server decides when it overwrites deleted rows. */
  async eraseDeleted(): Promise<void> {}

  close(): Promise<void> {
    return this.#connections.close(CLOSE_GRACE_MS);
  }

  /** Makes one attempt to run a transaction. At the time limit, it closes the connection, so that the server rolls back the transaction. */
  async #attempt<T>(work: (tables: StateTables) => Promise<T>, until: number): Promise<T> {
    const left = () => Math.max(1, until - this.#stopwatch());
    const connection = await this.#connections.acquire(undefined, left());
    try {
      const limit = this.#createLimit(left());
      limit.onTimeout(() => connection.interrupt());
      return await limit.execute(({ signal }) => connection.transaction(work, signal));
    } finally {
      this.#connections.release(connection);
    }
  }
}

const RETRIES = { maxAttempts: 8, backoff: new ExponentialBackoff({ initialDelay: 5, maxDelay: 200 }) };

/**
 * Whether another attempt can succeed: after a deadlock, a lock timeout, or concurrent inserts of the same row. After concurrent inserts,
 * the next attempt finds the row of the other transaction.
 */
function isRetryable(error: unknown): boolean {
  return classifyError(error) === 'transient' || (error as { errno?: unknown }).errno === DUPLICATE_ENTRY;
}

const DUPLICATE_ENTRY = 1062;
const CLOSE_GRACE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * With this isolation level, a transaction sees the committed changes of other transactions, and locks only rows and not the gaps between
 * them.
 */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
const LOCK_WAIT = 'SET SESSION innodb_lock_wait_timeout = 3';

class StateConnection implements PooledReader {
  readonly #address: MysqlAddress;
  #connection: WriteConnection | undefined;

  constructor(address: MysqlAddress) {
    this.#address = address;
  }

  /** `signal` aborts when the caller has stopped waiting. After that, the connection may already be used by another transaction. */
  async transaction<T>(work: (tables: StateTables) => Promise<T>, signal: AbortSignal): Promise<T> {
    const connection = await this.#connect(signal);
    await connection.run('START TRANSACTION');
    try {
      const result = await work(tablesOf(connection));
      await connection.run('COMMIT');
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => connection.destroy());
      throw error;
    }
  }

  interrupt(): void {
    this.#connection?.destroy();
  }

  close(): void {
    this.#connection?.destroy();
  }

  async #connect(signal: AbortSignal): Promise<WriteConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    const limits = { connectTimeoutMs: CONNECT_TIMEOUT_MS };
    const connection = await WriteConnection.open(await connectionOptions(this.#address), limits);
    try {
      signal.throwIfAborted();
      this.#connection = connection;
      await connection.run(ISOLATION);
      await connection.run(LOCK_WAIT);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }
}

function tablesOf(connection: WriteConnection): StateTables {
  return {
    rows: (select, values = []) => connection.rows(`${select} FOR UPDATE`, values),
    run: (statement, values = []) => connection.change(statement, values),
  };
}
