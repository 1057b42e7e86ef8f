import { isAscii } from 'node:buffer';
import type { DuckDBDataChunk } from '@duckdb/node-api';
import { bindings } from './node-api.js';

/**
 * The texts of a column. A value of 16 bytes contains the length, and a short text or the address of a long text. DuckDB stores long texts
 * one after the other, so this class reads many of them with one call. One call per text would cost more than all other work.
 */
export class TextColumn {
  readonly #memory: ColumnMemory;
  readonly #words: Uint32Array;
  readonly #values: Buffer;
  /** The long texts that were read last: their address, their bytes, and, if all characters are ASCII, the bytes as one text. */
  #address = 0;
  #run: Buffer = Buffer.alloc(0);
  #text: string | undefined;

  constructor(chunk: DuckDBDataChunk, column: number) {
    this.#memory = new ColumnMemory(chunk, column, VALUE_BYTES);
    this.#words = this.#memory.as(Uint32Array, WORDS);
    this.#values = this.#memory.bytes;
  }

  /** The total number of bytes of the texts. */
  get bytes(): number {
    let bytes = 0;
    for (let row = 0; row < this.#memory.count; row += 1) if (!this.#memory.isNull(row)) bytes += this.#lengthOf(row);
    return bytes;
  }

  /** Returns the text of a row; null for NULL. */
  at(row: number): string | null {
    if (this.#memory.isNull(row)) return null;
    const length = this.#lengthOf(row);
    if (length <= MAX_SHORT) {
      const start = row * VALUE_BYTES + LENGTH_BYTES;
      return this.#values.toString('utf8', start, start + length);
    }
    const address = this.#addressOf(row);
    if (address < this.#address || address + length > this.#address + this.#run.length) this.#readFrom(row);
    const start = address - this.#address;
    // Slicing one long text is faster than decoding each part.
    return this.#text?.slice(start, start + length) ?? this.#run.toString('utf8', start, start + length);
  }

  /** Reads the long texts from this row on, up to the first text that does not begin where the previous one ends. */
  #readFrom(first: number): void {
    let length = 0;
    this.#address = this.#addressOf(first);
    for (let row = first; row < this.#memory.count && length < MAX_RUN_BYTES; row += 1) {
      if (this.#memory.isNull(row) || this.#lengthOf(row) <= MAX_SHORT) continue;
      if (this.#addressOf(row) !== this.#address + length) break;
      length += this.#lengthOf(row);
    }
    const values = this.#values;
    const place = values.byteOffset + first * VALUE_BYTES + ADDRESS_BYTES;
    const copy = bindings.get_data_from_pointer(values.buffer as ArrayBuffer, place, length);
    this.#run = Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength);
    this.#text = isAscii(this.#run) ? this.#run.toString('latin1') : undefined;
  }

  #lengthOf(row: number): number {
    return this.#words[row * WORDS] as number;
  }

  /** Returns the address of a long text. Addresses have fewer than 53 bits, so a number represents them exactly. */
  #addressOf(row: number): number {
    const [low, high] = [this.#words[row * WORDS + 2] as number, this.#words[row * WORDS + 3] as number];
    return high * 2 ** 32 + low;
  }
}

const VALUE_BYTES = 16;
/** The number of 32-bit words of a value: the length, the first bytes, and the two halves of the address. */
const WORDS = 4;
const LENGTH_BYTES = 4;
const ADDRESS_BYTES = 8;
const MAX_SHORT = 12;
const MAX_RUN_BYTES = 256 * 1024;

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
