import { setTimeout as pause } from 'node:timers/promises';
import type { BoundValue, Deadline, EngineError, ResultSet } from '../../engine/index.js';
import { unavailable } from '../failures.js';
import type { PooledReader } from '../reader-pool.js';
import type { Positional } from './connection/select.js';
import { type Opening, ServerConnection } from './connection/server-connection.js';
import { meaningOf } from './connection/server-error.js';
import { bind } from './connection/values.js';
import { requireWhole } from './connection/warnings.js';
import type { ControlConnections } from './control-connections.js';
import { ResultRows } from './result-rows.js';

export interface ReaderOptions {
  readonly opening: Opening;
  readonly control: ControlConnections;
  readonly connectTimeoutMs: number;
  /** A result of more bytes is not read. */
  readonly maxBytes: number;
}

export interface Reading<T> {
  /** Settles as soon as the answer is known. */
  readonly result: Promise<T>;
  /** Resolves when the reader can be used again: nothing of the query is left in the database or on the connection. */
  readonly settled: Promise<void>;
}

/**
 * One connection that answers one query at a time. It is made when it is needed, and made anew when it broke or could
 * not be had clean after a query that was stopped.
 */
export class Reader implements PooledReader {
  readonly #options: ReaderOptions;
  #connection: ServerConnection | undefined;
  #stop: (reason: EngineError) => void = NOTHING_RUNS;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  read(select: Positional, values: readonly BoundValue[], maxRows: number, deadline: Deadline): Reading<ResultSet> {
    const rows = new ResultRows(maxRows, this.#options.maxBytes);
    const settled = this.#run(select, values, rows, deadline).then(
      () => rows.finish(),
      (error) => rows.fail(error),
    );
    return { result: rows.result, settled };
  }

  /** The names of the columns of a query, which is prepared and not run. */
  async describe({ sql }: Positional, deadline: Deadline): Promise<readonly string[]> {
    const connection = await this.#connected(deadline);
    // A server prepares at once, unless somebody locks a table: then the connection is given up.
    const forget = deadline.onStop(() => connection.destroy());
    try {
      return await connection.describe(sql);
    } catch (error) {
      if (['lost', 'full'].includes(meaningOf(error))) connection.destroy();
      throw deadline.reason ?? error;
    } finally {
      forget();
    }
  }

  interrupt(): void {
    this.#stop(unavailable('The database is being closed.'));
  }

  close(): void {
    this.#connection?.end();
  }

  async #run(select: Positional, values: readonly BoundValue[], rows: ResultRows, deadline: Deadline): Promise<void> {
    const connection = await this.#connected(deadline);
    const { sql, parameters } = bind(select, values, connection.flavor);
    if (deadline.reason !== undefined) throw deadline.reason;
    const work = (async () => {
      await connection.limitStatements(deadline.timeoutMs);
      rows.start(connection);
      const warnings = await connection.execute(sql, parameters, rows);
      rows.end();
      if (warnings !== 0) await requireWhole((sql) => connection.ask(sql));
    })();
    let stopping: Promise<void> | undefined;
    const clean = () => {
      stopping ??= this.#clean(connection, work);
    };
    const stop = (reason: EngineError) => {
      rows.fail(reason);
      clean();
    };
    // V8 takes a function that is written behind the `=` of a property for one that stays: it would keep the rows until a full
    // collection.
    this.#stop = stop;
    rows.onEnough = clean;
    const forget = deadline.onStop(stop);
    try {
      await work;
    } catch (error) {
      // A server that shuts down, or forgot a prepared statement, says so on a connection that is still open. What a connection
      // has prepared, the server frees when it ends.
      if (['lost', 'full'].includes(meaningOf(error))) connection.destroy();
      throw error;
    } finally {
      forget();
      this.#stop = NOTHING_RUNS;
      rows.end();
      await stopping;
    }
  }

  /** Stops what runs in the database, and has the connection clean or cut within bounded time. */
  async #clean(connection: ServerConnection, work: Promise<void>): Promise<void> {
    const cut = setTimeout(() => connection.destroy(), CLEAN_MS);
    let isOver = false;
    const over = work
      .catch(() => {})
      .then(() => {
        isOver = true;
      });
    try {
      // A kill that comes before the statement has begun has no effect, so one is not enough.
      while (!isOver) {
        await this.#options.control.kill(connection.id, CLEAN_MS);
        await Promise.race([over, pause(KILL_AGAIN_MS)]);
      }
      // One that comes after it has ended waits for the next statement of the connection: this one.
      if (connection.isOpen) await connection.ask('DO 0').catch(() => {});
    } catch {
      connection.destroy();
    } finally {
      clearTimeout(cut);
    }
  }

  async #connected(deadline: Deadline): Promise<ServerConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    const { opening, connectTimeoutMs } = this.#options;
    // Before the caller's time is over, who is to hear that the database is away and not that the query was slow.
    const withinMs = Math.min(connectTimeoutMs, deadline.remainingMs * CONNECT_SHARE);
    this.#connection = await ServerConnection.open(opening, withinMs);
    return this.#connection;
  }
}

const NOTHING_RUNS = () => {};

/** After this long a connection that is not clean is cut. */
const CLEAN_MS = 1_000;
const KILL_AGAIN_MS = 20;
const CONNECT_SHARE = 0.8;
