import { setTimeout as pause } from 'node:timers/promises';
import type { FieldPacket } from 'mysql2';
import { unavailableError } from '../failures.js';
import type {
  BoundValue,
  Cell,
  DescribedColumn,
  ResultSet,
  RowReceiver,
  StreamOptions,
} from '../interface/database.js';
import { Deadline } from '../interface/deadline.js';
import type { EngineError } from '../interface/errors.js';
import type { PooledReader } from '../reader-pool.js';
import { createRowReader, type RowReader } from './connection/cells.js';
import type { Flavor } from './connection/flavor.js';
import type { RunningResult } from './connection/running-result.js';
import type { Positional } from './connection/select.js';
import { type Opening, ServerConnection } from './connection/server-connection.js';
import { classifyError } from './connection/server-error.js';
import { bind, castsTexts, hasForeignCharacter } from './connection/values.js';
import { requireCompleteResult } from './connection/warnings.js';
import type { ControlConnections } from './control-connections.js';
import { ResultRows } from './result-rows.js';

export interface ReaderOptions {
  readonly opening: Opening;
  readonly control: ControlConnections;
  readonly connectTimeoutMs: number;
  /** The maximum bytes of a result. */
  readonly maxBytes: number;
}

export interface Reading<T> {
  /** Settles as soon as the result or the error is known. */
  readonly result: Promise<T>;
  /** Resolves when this query has ended in the database and on the connection, so that the reader can run the next query. */
  readonly settled: Promise<void>;
}

/**
 * A connection that runs one query at a time. It is opened for the first query. It is opened again if it was lost, or
 * if it was closed because a stopped query did not end in time.
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

  /** Passes the rows of a query to a receiver while they arrive. */
  stream(
    select: Positional,
    values: readonly BoundValue[],
    options: StreamOptions,
  ): Reading<{ readonly more: boolean }> {
    const rows = new StreamedRows(options.maxRows, options.receive);
    const settled = this.#run(select, values, rows, options.deadline).then(
      () => rows.finish(),
      // If enough rows have arrived, the statement was killed, and this is the error of the KILL.
      (error) => (rows.isEnough ? rows.finish() : rows.fail(error)),
    );
    return { result: rows.result, settled };
  }

  /** Returns the columns of a query. It prepares the query and does not run it. */
  async describe({ sql }: Positional, deadline: Deadline): Promise<readonly DescribedColumn[]> {
    const connection = await this.#connect(deadline);
    // The server prepares a query immediately, unless a table is locked. In that case, the connection is closed at the
    // deadline.
    const removeListener = deadline.onStop(() => connection.destroy());
    try {
      return await connection.describe(sql);
    } catch (error) {
      if (needsNewConnection(error)) connection.destroy();
      throw deadline.reason ?? error;
    } finally {
      removeListener();
    }
  }

  interrupt(): void {
    this.#stop(unavailableError('The database is being closed.'));
  }

  close(): void {
    this.#connection?.end();
  }

  async #run(
    select: Positional,
    values: readonly BoundValue[],
    rows: RunningResult,
    deadline: Deadline,
  ): Promise<void> {
    const connection = await this.#connect(deadline);
    if (deadline.reason !== undefined) throw deadline.reason;
    const execute = (castTexts: boolean) => {
      const { sql, parameters } = bind(select, values, connection.flavor, castTexts);
      return connection.execute(sql, parameters, rows);
    };
    const work = (async () => {
      await connection.limitStatements(deadline.timeoutMs);
      rows.start(connection);
      const castTexts = castsTexts(connection.flavor);
      const warnings = await execute(castTexts).catch((error: unknown) => {
        if (deadline.reason !== undefined || !isForeignText(error, values, connection.flavor)) throw error;
        return execute(!castTexts);
      });
      rows.end();
      if (warnings !== 0) await requireCompleteResult((sql) => connection.run(sql));
    })();
    let ending: Promise<void> | undefined;
    const endStatement = () => {
      ending ??= this.#endStatement(connection, work);
    };
    const stop = (reason: EngineError) => {
      rows.fail(reason);
      endStatement();
    };
    // Do not write this function literal directly after the `=`. V8 would then allocate it as a long-lived object, and
    // keep the rows that it references until a full garbage collection.
    this.#stop = stop;
    rows.onEnough = endStatement;
    const removeListener = deadline.onStop(stop);
    try {
      await work;
    } catch (error) {
      if (needsNewConnection(error)) connection.destroy();
      throw error;
    } finally {
      removeListener();
      this.#stop = NOTHING_RUNS;
      // A receiver that rejects the last rows must not stop the next statement of the connection.
      rows.onEnough = NOTHING_RUNS;
      rows.end();
      await ending;
    }
  }

  /** Kills the running statement. The connection is then ready for the next query, or closed if the statement did not end in time. */
  async #endStatement(connection: ServerConnection, work: Promise<void>): Promise<void> {
    const deadline = new Deadline({ timeoutMs: MAX_END_MS });
    deadline.onStop(() => connection.destroy());
    let isOver = false;
    const over = work
      .catch(() => {})
      .then(() => {
        isOver = true;
      });
    try {
      // A KILL has no effect before the statement starts, so the KILL is repeated until the statement has ended.
      while (!isOver) {
        await this.#options.control.kill(connection.id, MAX_END_MS);
        await Promise.race([over, pause(KILL_AGAIN_MS)]);
      }
      // A KILL that arrives after the statement has ended stops the next statement of the connection. So `DO 0` runs
      // next, because its failure has no effect.
      if (connection.isOpen) await connection.run('DO 0').catch(() => {});
    } catch {
      connection.destroy();
    } finally {
      deadline.end();
    }
  }

  async #connect(deadline: Deadline): Promise<ServerConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    const { opening, connectTimeoutMs } = this.#options;
    // Opening times out before the query does, so that the caller gets `database_unavailable` and not `query_timeout`.
    const timeoutMs = Math.min(connectTimeoutMs, deadline.remainingMs * CONNECT_SHARE);
    this.#connection = await ServerConnection.open(opening, timeoutMs);
    return this.#connection;
  }
}

/**
 * Whether the connection must be replaced even if it is still open: the server is shutting down, has lost a prepared
 * statement, or has too many prepared statements. The server frees those of a connection when the connection ends.
 */
function needsNewConnection(error: unknown): boolean {
  return ['connection lost', 'too many statements'].includes(classifyError(error));
}

/**
 * Whether the server rejected the query because of the character set or the collation of a bound text: the text has characters that a
 * column in latin1 cannot contain, or it was cast, and a column has another collation than the session.
 */
function isForeignText(error: unknown, values: readonly BoundValue[], flavor: Flavor): boolean {
  if (!MIXED_COLLATIONS.has((error as { errno?: number }).errno ?? 0)) return false;
  return values.some((value) => (castsTexts(flavor) ? typeof value === 'string' : hasForeignCharacter(value)));
}

/** The numbers of the error for two, three and more texts. */
const MIXED_COLLATIONS = new Set([1267, 1270, 1271]);

const NOTHING_RUNS = () => {};

/** The connection is closed if its statement has not ended within this time after the first KILL. */
const MAX_END_MS = 1_000;
const KILL_AGAIN_MS = 20;
/** The share of the remaining time of a query that opening a connection may take. */
const CONNECT_SHARE = 0.8;

/** Passes the rows of one result to a receiver while they arrive. The connection is paused while the receiver is busy. */
class StreamedRows implements RunningResult {
  readonly result: Promise<{ readonly more: boolean }>;
  onEnough: () => void = () => {};
  readonly #maxRows: number;
  readonly #receive: RowReceiver;
  #resolve: (result: { readonly more: boolean }) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #reader: RowReader = { columns: [], read: (values) => values as Cell[] };
  #connection: ServerConnection | undefined;
  #batch: Cell[][] = [];
  #count = 0;
  /** The bytes that the connection had received before the current batch. */
  #bytesBefore = 0;
  #hasMore = false;
  #isOver = false;
  /** Resolves when the receiver has processed the batches so far; undefined if it is idle. */
  #passing: Promise<void> | undefined;

  constructor(maxRows: number, receive: RowReceiver) {
    this.#maxRows = maxRows;
    this.#receive = receive;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Whether all rows up to the limit have arrived. */
  get isEnough(): boolean {
    return this.#hasMore;
  }

  start(connection: ServerConnection): void {
    this.#connection = connection;
    this.#bytesBefore = connection.bytesRead;
  }

  columns(fields: readonly FieldPacket[]): void {
    this.#guard(() => {
      this.#reader = createRowReader(fields);
      this.#receive.columns(this.#reader.columns);
    });
  }

  row(values: unknown[]): void {
    if (this.#isOver || this.#hasMore) return;
    if (this.#count === this.#maxRows) {
      this.#hasMore = true;
      this.onEnough();
      return;
    }
    this.#count += 1;
    this.#batch.push(this.#reader.read(values));
    if (this.#batch.length === BATCH_ROWS || this.#bytes() - this.#bytesBefore > BATCH_BYTES) this.#pass();
  }

  /** Passes the last rows to the receiver, and resolves `result`. Does not wait for the receiver after `fail`. */
  async finish(): Promise<void> {
    if (this.#batch.length > 0) this.#pass();
    await Promise.race([this.#passing, this.result.catch(() => {})]);
    this.#isOver = true;
    this.#resolve({ more: this.#hasMore });
  }

  fail(error: unknown): void {
    this.#isOver = true;
    this.#batch = [];
    this.#reject(error);
    // The connection must receive again, because the end of the statement also arrives on it.
    this.#connection?.resume();
  }

  end(): void {}

  #pass(): void {
    const rows = this.#batch;
    this.#batch = [];
    this.#bytesBefore = this.#bytes();
    this.#guard(() => {
      const taken = this.#receive.rows(rows);
      if (taken === undefined) return;
      if (!this.#isOver) this.#connection?.pause();
      this.#passing = taken.then(
        () => {
          // After the end, the connection may already run the next query.
          if (!this.#isOver) this.#connection?.resume();
        },
        (error: unknown) => this.#stop(error),
      );
    });
  }

  #bytes(): number {
    return this.#connection?.bytesRead ?? 0;
  }

  #guard(pass: () => void): void {
    try {
      pass();
    } catch (error) {
      this.#stop(error);
    }
  }

  #stop(error: unknown): void {
    if (this.#isOver) return;
    this.fail(error);
    this.onEnough();
  }
}

/** The maximum size of a batch: the rows of a DuckDB chunk, or fewer if they are long. Each batch has a cost, especially in Arrow. */
const BATCH_ROWS = 2_048;
const BATCH_BYTES = 1024 * 1024;
