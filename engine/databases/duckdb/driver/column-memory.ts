import type { DuckDBDataChunk } from '@duckdb/node-api';
import { bindings } from './node-api.js';

/**
 * Direct access to the memory of a column of a chunk. It is faster than the vector classes of the package, which create
 * a bigint or an object for each value and call DuckDB for each text.
 */
export class ColumnMemory {
  /** The number of rows. */
  readonly count: number;
  /** The owner of the memory. Without this reference, the memory could be freed while this object still uses it. */
  readonly chunk: DuckDBDataChunk;
  readonly #data: Uint8Array;
  /** A bit is set for each row that is not NULL. Undefined if no row is NULL. */
  readonly #valid: Uint8Array | undefined;

  constructor(chunk: DuckDBDataChunk, column: number, bytesPerValue: number) {
    const vector = bindings.data_chunk_get_vector(chunk.chunk, column);
    this.chunk = chunk;
    this.count = chunk.rowCount;
    this.#data = bindings.vector_get_data(vector, this.count * bytesPerValue);
    // The result is null if no value is NULL, which the types of the package do not state.
    const valid: Uint8Array | null = bindings.vector_get_validity(vector, Math.ceil(this.count / 64) * 8);
    this.#valid = valid ?? undefined;
  }

  isNull(row: number): boolean {
    const bits = this.#valid;
    return bits !== undefined && (((bits[row >> 3] as number) >> (row & 7)) & 1) === 0;
  }

  /** Returns the memory as an array of values of one type. */
  as<Values>(type: new (buffer: ArrayBuffer, offset: number, length: number) => Values, perValue = 1): Values {
    return new type(this.#data.buffer as ArrayBuffer, this.#data.byteOffset, this.count * perValue);
  }

  get bytes(): Buffer {
    return Buffer.from(this.#data.buffer, this.#data.byteOffset, this.#data.byteLength);
  }
}
