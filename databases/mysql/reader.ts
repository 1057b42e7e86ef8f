import { setTimeout as pause } from 'node:timers/promises';
import type { BoundValue, Cell, ResultSet } from '../../engine/database.js';
import { EngineError } from '../../engine/errors.js';
import { unavailable } from '../failures.js';
import type { PooledReader } from '../reader-pool.js';
import { type RowReader, rowReader } from './cells.js';
import type { Deadline } from './deadline.js';
import type { Killer } from './killer.js';
import type { Select } from './select.js';
import { type Opening, ServerConnection } from './server-connection.js';
import { type Meaning, meaningOf } from './server-error.js';
import { parameters } from './values.js';

export interface ReaderOptions {
  readonly opening: Opening;
  readonly killer: Killer;
  readonly connectTimeoutMs: number;
  /** A result of more bytes is not read. */
  readonly maxBytes: number;
}

export interface Reading {
  /** Settles as soon as the answer is known. */
  readonly result: Promise<ResultSet>;
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
  #stop: (reason: EngineError) => void = () => {};

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  read(select: Select, values: readonly BoundValue[], maxRows: number, deadline: Deadline): Reading {
    const rows = new Rows(maxRows, this.#options.maxBytes);
    const settled = this.#run(select, values, rows, deadline).then(
      () => rows.finish(),
      (error) => rows.fail(error),
    );
    return { result: rows.result, settled };
  }

  interrupt(): void {
    this.#stop(unavailable('The database is being closed.'));
  }

  close(): void {
    this.#connection?.end();
  }

  async #run(select: Select, values: readonly BoundValue[], rows: Rows, deadline: Deadline): Promise<void> {
    const bound = parameters(select.order, values);
    const connection = await this.#connected(deadline);
    if (deadline.reason !== undefined) throw deadline.reason;
    const work = (async () => {
      await connection.limitStatements(deadline.timeoutMs);
      rows.start(connection);
      await connection.execute(select.sql, bound, rows);
    })();
    let stopping: Promise<void> | undefined;
    this.#stop = (reason) => {
      rows.fail(reason);
      stopping ??= this.#clean(connection, work);
    };
    rows.onEnough = () => {
      stopping ??= this.#clean(connection, work);
    };
    const forget = deadline.onStop(this.#stop);
    try {
      await work;
    } finally {
      forget();
      this.#stop = () => {};
      rows.end();
      await stopping;
    }
  }

  /** Stops what runs in the database, and has the connection clean or cut within bounded time. */
  async #clean(connection: ServerConnection, work: Promise<void>): Promise<void> {
    const cut = setTimeout(() => connection.destroy(), CLEAN_MS);
    let outcome: Meaning | undefined;
    const over = work.then(
      () => 'other' as const,
      (error) => meaningOf(error),
    );
    void over.then((meaning) => {
      outcome = meaning;
    });
    try {
      // A kill that comes before the statement has begun has no effect, so one is not enough.
      while (outcome === undefined) {
        await this.#options.killer.kill(connection.id, CLEAN_MS);
        await Promise.race([over, pause(KILL_AGAIN_MS)]);
      }
      // One that comes after it has ended waits for the next statement of the connection: this one.
      if (outcome !== 'interrupted' && connection.isOpen) await connection.ask('DO 0').catch(() => {});
    } catch {
      connection.destroy();
    } finally {
      clearTimeout(cut);
    }
  }

  async #connected(deadline: Deadline): Promise<ServerConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    const { opening, connectTimeoutMs } = this.#options;
    this.#connection = await ServerConnection.open(opening, Math.min(connectTimeoutMs, deadline.remainingMs));
    return this.#connection;
  }
}

/** After this long a connection that is not clean is cut. */
const CLEAN_MS = 1_000;
const KILL_AGAIN_MS = 20;
/**
 * What is left of a result beyond `maxRows` is read and dropped within these bounds. If more comes, the connection is
 * cut, which ends the statement at its next row and costs less than reading on; if it comes slowly, the statement is
 * killed.
 */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 20;

/** Collects the rows of one result. */
class Rows {
  readonly result: Promise<ResultSet>;
  /** Called when no more rows are wanted and more keep coming. */
  onEnough: () => void = () => {};
  #settle: (result: ResultSet) => void = () => {};
  #refuse: (error: unknown) => void = () => {};
  readonly #rows: Cell[][] = [];
  #reader: RowReader = { columns: [], read: (values) => values as Cell[] };
  #connection: ServerConnection | undefined;
  #bytesBefore = 0;
  #isEnough = false;
  #bytesAtEnough = 0;
  #drain: NodeJS.Timeout | undefined;

  constructor(
    private readonly maxRows: number,
    private readonly maxBytes: number,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#refuse = reject;
    });
  }

  start(connection: ServerConnection): void {
    this.#connection = connection;
    this.#bytesBefore = connection.bytesRead;
  }

  columns(fields: Parameters<typeof rowReader>[0]): void {
    this.#reader = rowReader(fields);
  }

  row(values: unknown[]): void {
    if (this.#isEnough) {
      if (this.#bytes() > this.#bytesAtEnough + DRAIN_BYTES) this.#connection?.destroy();
    } else if (this.#rows.length === this.maxRows) {
      this.#drop();
      this.#drain = setTimeout(() => this.onEnough(), DRAIN_MS);
      this.#settle({ columns: this.#reader.columns, rows: this.#rows, more: true });
    } else if (this.#bytes() > this.maxBytes) {
      this.fail(tooLarge(this.maxBytes));
      this.#connection?.destroy();
    } else {
      this.#rows.push(this.#reader.read(values));
    }
  }

  finish(): void {
    this.#settle({ columns: this.#reader.columns, rows: this.#rows, more: false });
  }

  fail(error: unknown): void {
    this.#drop();
    this.#refuse(error);
  }

  /** Nothing more will come. */
  end(): void {
    clearTimeout(this.#drain);
  }

  #drop(): void {
    this.#isEnough = true;
    this.#bytesAtEnough = this.#bytes();
  }

  #bytes(): number {
    return (this.#connection?.bytesRead ?? 0) - this.#bytesBefore;
  }
}

function tooLarge(maxBytes: number): EngineError {
  const most = `${Math.round(maxBytes / 1024 / 1024)} MB`;
  return new EngineError('query_failed', `The result is larger than ${most}, the most that is read: ask for less.`);
}
