import type { FieldPacket } from 'mysql2';
import type { Cell, RowReceiver } from '../interface/database.js';
import { createRowReader, type RowReader } from './connection/cells.js';
import type { RunningResult } from './connection/running-result.js';
import type { ServerConnection } from './connection/server-connection.js';

/** Passes the rows of one result to a receiver while they arrive. The connection is paused while the receiver is busy. */
export class StreamedRows implements RunningResult {
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
    this.#reader = createRowReader(fields);
    this.#guard(() => this.#receive.columns(this.#reader.columns));
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

  /** Passes the last rows to the receiver, and resolves `result`. */
  async finish(): Promise<void> {
    if (this.#batch.length > 0) this.#pass();
    await this.#passing;
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
      this.#connection?.pause();
      const passing = taken.then(
        () => this.#connection?.resume(),
        (error: unknown) => this.#stop(error),
      );
      this.#passing = passing;
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
    this.fail(error);
    this.onEnough();
  }
}

/** The maximum size of a batch: the rows of a DuckDB chunk, or fewer if they are long. Each batch has a cost, especially in Arrow. */
const BATCH_ROWS = 2_048;
const BATCH_BYTES = 1024 * 1024;
