import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { Cell } from '../../../engine/index.js';
import { tooLarge } from '../../failures.js';
import { appendRows, type CellReader } from './cells.js';

/** Collects the rows of one result, within its limits. */
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

  /** Rows that there is room for. */
  get room(): number {
    return this.#maxRows - this.rows.length;
  }

  /** Adds the rows of a chunk that there is room for. Throws `query_failed` where they are too large. */
  add(chunk: DuckDBDataChunk): void {
    const before = this.rows.length;
    appendRows(this.rows, chunk, this.#readers, this.room);
    for (let index = before; index < this.rows.length; index++) {
      for (const cell of this.rows[index] ?? []) this.#bytes += typeof cell === 'string' ? cell.length : NUMBER_BYTES;
    }
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }
}

const NUMBER_BYTES = 8;
