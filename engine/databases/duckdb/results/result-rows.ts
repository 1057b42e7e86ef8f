import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api';
import { resultTooLargeError } from '../../failures.js';
import type { Cell, ResultColumn } from '../../interface/database.js';
import { type CellReader, createCellReader } from './cells.js';

/** Returns the columns of a result, and the readers of their cells. */
export function columnsOf(result: DuckDBResult): {
  readonly columns: readonly ResultColumn[];
  readonly readers: readonly CellReader[];
} {
  const readers = result.columnTypes().map(createCellReader);
  return { readers, columns: readers.map(({ type }, index) => ({ name: result.columnName(index), type })) };
}

/** Reads the rows of a chunk from `first` up to, but excluding, `end`. */
export type ReadRows = (first: number, end: number) => Cell[][];

export function openChunk(chunk: DuckDBDataChunk, readers: readonly CellReader[]): ReadRows {
  const columns = readers.map((reader, column) => reader.open(chunk, column));
  return (first, end) => {
    const rows: Cell[][] = [];
    for (let row = first; row < end; row++) rows.push(new Array<Cell>(columns.length));
    columns.forEach((cellAt, column) => {
      for (let row = first; row < end; row++) (rows[row - first] as Cell[])[column] = cellAt(row);
    });
    return rows;
  };
}

/**
 * Collects the rows of one result, up to a maximum number of rows. Throws if the rows exceed a maximum number of bytes.
 */
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
    const readRows = openChunk(chunk, this.#readers);
    for (const row of readRows(0, Math.min(chunk.rowCount, this.remainingRows))) {
      this.rows.push(row);
      for (const cell of row) this.#bytes += typeof cell === 'string' ? cell.length : NUMBER_BYTES;
    }
    if (this.#bytes > this.#maxBytes) throw resultTooLargeError(this.#maxBytes);
  }
}

const NUMBER_BYTES = 8;
