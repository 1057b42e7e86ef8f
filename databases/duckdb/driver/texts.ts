import { isAscii } from 'node:buffer';
import type { DuckDBDataChunk } from '@duckdb/node-api';
import { ColumnMemory } from './column-memory.js';
import { bindings } from './node-api.js';

/**
 * Reads the texts of a column. A value of 16 bytes has the length and a short text, or the address of a long one. DuckDB writes long
 * texts one after the other, so that neighbors can be read together: one call per text would cost more than everything else.
 */
export function readTexts(chunk: DuckDBDataChunk, column: number): (string | null)[] {
  const memory = new ColumnMemory(chunk, column, VALUE_BYTES);
  const words = memory.as(Uint32Array, WORDS);
  const { bytes } = memory;
  const texts = new Array<string | null>(memory.count).fill(null);
  const run = new Run(bytes, words, texts);
  for (let row = 0; row < memory.count; row += 1) {
    if (memory.isNull(row)) continue;
    const length = words[row * WORDS] as number;
    const start = row * VALUE_BYTES + 4;
    if (length <= MAX_SHORT) texts[row] = bytes.toString('utf8', start, start + length);
    else run.add(row, length);
  }
  run.end();
  return texts;
}

const VALUE_BYTES = 16;
/** A value as numbers of 32 bits. */
const WORDS = 4;
const MAX_SHORT = 12;
const MAX_RUN_BYTES = 256 * 1024;

/** Long texts whose bytes follow each other. */
class Run {
  readonly #bytes: Buffer;
  readonly #words: Uint32Array;
  readonly #texts: (string | null)[];
  #rows: number[] = [];
  #length = 0;
  /** The address after the last text. */
  #end = 0;

  constructor(bytes: Buffer, words: Uint32Array, texts: (string | null)[]) {
    this.#bytes = bytes;
    this.#words = words;
    this.#texts = texts;
  }

  add(row: number, length: number): void {
    const low = this.#words[row * WORDS + 2] as number;
    const high = this.#words[row * WORDS + 3] as number;
    // Addresses have fewer than 53 bits.
    const address = high * 2 ** 32 + low;
    if (address !== this.#end || this.#length + length > MAX_RUN_BYTES) this.end();
    this.#rows.push(row);
    this.#length += length;
    this.#end = address + length;
  }

  /** Reads the texts, and begins again. */
  end(): void {
    const rows = this.#rows;
    const [first] = rows;
    if (first === undefined) return;
    const buffer = this.#bytes.buffer as ArrayBuffer;
    const offset = this.#bytes.byteOffset + first * VALUE_BYTES + 8;
    const copy = bindings.get_data_from_pointer(buffer, offset, this.#length);
    const run = Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength);
    // Parts of a text cost less than texts of parts. They only have the same places if each character is one byte.
    const whole = isAscii(run) ? run.toString('latin1') : undefined;
    let start = 0;
    for (const row of rows) {
      const end = start + (this.#words[row * WORDS] as number);
      this.#texts[row] = whole === undefined ? run.toString('utf8', start, end) : whole.slice(start, end);
      start = end;
    }
    this.#rows = [];
    this.#length = 0;
  }
}
