import type { FieldPacket } from 'mysql2';
import { resultTooLargeError } from '../failures.js';
import type { Cell, ResultSet } from '../interface/database.js';
import { createRowReader, type RowReader } from './connection/cells.js';
import type { RunningResult } from './connection/running-result.js';
import type { ServerConnection } from './connection/server-connection.js';

/** Collects the rows of one result within limits of rows and bytes. */
export class ResultRows implements RunningResult {
  readonly result: Promise<ResultSet>;
  onEnough: () => void = () => {};
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #resolve: (result: ResultSet) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  readonly #rows: Cell[][] = [];
  #reader: RowReader = { columns: [], read: (values) => values as Cell[] };
  #connection: ServerConnection | undefined;
  #bytesBefore = 0;
  #isDraining = false;
  #hasMore = false;
  #bytesBeforeDrain = 0;
  #drainTimer: NodeJS.Timeout | undefined;

  constructor(maxRows: number, maxBytes: number) {
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  start(connection: ServerConnection): void {
    this.#connection = connection;
    this.#bytesBefore = connection.bytesRead;
  }

  columns(fields: readonly FieldPacket[]): void {
    try {
      this.#reader = createRowReader(fields);
    } catch (error) {
      this.fail(error);
      this.onEnough();
    }
  }

  row(values: unknown[]): void {
    if (this.#isDraining) {
      if (this.#bytes() <= this.#bytesBeforeDrain + MAX_DRAIN_BYTES) return;
      this.finish();
      this.#connection?.destroy();
    } else if (this.#rows.length === this.#maxRows) {
      this.#drain();
      this.#hasMore = true;
      this.#drainTimer = setTimeout(() => {
        this.finish();
        this.onEnough();
      }, MAX_DRAIN_MS);
    } else if (this.#bytes() > this.#maxBytes) {
      this.fail(resultTooLargeError(this.#maxBytes));
      this.#connection?.destroy();
    } else {
      this.#rows.push(this.#reader.read(values));
    }
  }

  /** Resolves `result` with the collected rows. */
  finish(): void {
    this.#resolve({ columns: this.#reader.columns, rows: this.#rows, more: this.#hasMore });
  }

  /** Rejects `result`, and drops later rows. */
  fail(error: unknown): void {
    this.#drain();
    this.#reject(error);
  }

  /** Stops the timer for surplus rows. Must be called after the last row. */
  end(): void {
    clearTimeout(this.#drainTimer);
  }

  #drain(): void {
    this.#isDraining = true;
    this.#bytesBeforeDrain = this.#bytes();
  }

  #bytes(): number {
    return (this.#connection?.bytesRead ?? 0) - this.#bytesBefore;
  }
}

/**
 * Rows beyond `maxRows` are read and dropped up to these limits, because warnings about truncated values arrive only at
 * the end of the result. At the byte limit, the connection is closed: this ends the statement at its next row and is
 * cheaper than reading all remaining rows. At the time limit, the statement is killed.
 */
const MAX_DRAIN_BYTES = 64 * 1024;
const MAX_DRAIN_MS = 20;
