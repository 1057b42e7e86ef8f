import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { Cell } from '../../../engine/index.js';
import { resultTooLargeError } from '../../failures.js';
import { appendRows, type CellReader } from './cells.js';

/** Collects the rows of one result up to a limit of rows. Throws beyond a limit of bytes. */
export class ResultRows {
  readonly rows: Cell[][] = [];
  readonly #readers: readonly CellReader[];
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(readers: readonly CellReader[], maxRows: number, maxBytes: number) {
    this.#readers = readers;
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  /** The number of rows that can still be added. */
  get remainingRows(): number {
    return this.#maxRows - this.rows.length;
  }

  /** Adds the rows of a chunk up to the row limit. Throws `query_failed` if all rows together exceed the byte limit. */
  add(chunk: DuckDBDataChunk): void {
    const before = this.rows.length;
    appendRows(this.rows, chunk, this.#readers, this.remainingRows);
    for (let index = before; index < this.rows.length; index++) {
      for (const cell of this.rows[index] ?? []) this.#bytes += typeof cell === 'string' ? cell.length : NUMBER_BYTES;
    }
    if (this.#bytes > this.#maxBytes) throw resultTooLargeError(this.#maxBytes);
  }
}

const NUMBER_BYTES = 8;
