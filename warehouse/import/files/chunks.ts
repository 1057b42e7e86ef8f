import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ConcatenatedObjects } from './concatenated.js';
import { MAX_LINE_BYTES } from './event-columns.js';

/** A temporary file with complete lines of one source. */
export interface Chunk {
  readonly path: string;
  readonly bytes: number;
  /** The bytes of the longest line. */
  readonly longestLine: number;
  /**
   * The number of the chunk's first line in the source, from 1. If the source has no line breaks, this is the number of the first object.
   */
  readonly firstLine: number;
  /** The number of rejected parts: objects that are too long, and bytes between objects. */
  readonly rejected: number;
}

/**
 * The bytes after which a chunk ends. DuckDB reads a file of this size on one thread, so several chunks keep all threads busy. Even for a
 * very long source, the disk only needs space for a few chunks.
 */
export const CHUNK_BYTES = 8 * 1024 * 1024;

/** Writes text into chunk files `<name>-<n>.json`, which the caller must delete. The last line may have no line break. */
export async function* writeChunks(text: AsyncIterable<Buffer>, folder: string, name: string): AsyncGenerator<Chunk> {
  const lines = new Lines();
  let count = 0;
  let chunk: OpenChunk | undefined;
  try {
    for await (const piece of text) {
      for (const complete of lines.push(piece)) {
        chunk ??= await openChunk(join(folder, `${name}-${count++}.json`), lines.number);
        await write(chunk, complete);
        lines.count(complete);
      }
      if (chunk !== undefined && chunk.bytes >= CHUNK_BYTES) {
        yield await closeChunk(chunk, lines);
        chunk = undefined;
      }
    }
    const rest = lines.rest();
    if (rest.length > 0) {
      chunk ??= await openChunk(join(folder, `${name}-${count++}.json`), lines.number);
      await write(chunk, rest);
      lines.count(rest);
    }
    chunk ??= lines.rejected > 0 ? await openChunk(join(folder, `${name}-${count++}.json`), lines.number) : undefined;
    if (chunk === undefined) return;
    const last = await closeChunk(chunk, lines);
    chunk = undefined;
    yield last;
  } finally {
    await chunk?.handle.close();
  }
}

interface OpenChunk {
  readonly path: string;
  readonly handle: FileHandle;
  readonly firstLine: number;
  bytes: number;
}

async function openChunk(path: string, firstLine: number): Promise<OpenChunk> {
  return { path, handle: await open(path, 'w'), firstLine, bytes: 0 };
}

async function write(chunk: OpenChunk, bytes: Buffer): Promise<void> {
  await chunk.handle.writeFile(bytes);
  chunk.bytes += bytes.length;
}

async function closeChunk({ handle, path, bytes, firstLine }: OpenChunk, lines: Lines): Promise<Chunk> {
  await handle.close();
  return { path, bytes, firstLine, longestLine: lines.takeLongest(), rejected: lines.takeRejected() };
}

/** Splits text at its last line break. A line that is too long for one event is read as objects without line breaks. */
class Lines {
  number = 1;
  rejected = 0;
  #atStart = true;
  /** The number of bytes of the current line that were written so far. */
  #lineBytes = 0;
  #longest = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #objects: ConcatenatedObjects | undefined;

  push(piece: Buffer): Buffer[] {
    const text = this.#atStart && piece.subarray(0, 3).equals(BYTE_ORDER_MARK) ? piece.subarray(3) : piece;
    this.#atStart = false;
    if (this.#objects !== undefined) return this.#pushObjects(this.#objects, text);
    const end = text.lastIndexOf(LINE_BREAK) + 1;
    const complete = end === 0 ? [] : [...this.#pending, text.subarray(0, end)];
    if (end > 0) this.#clearPending();
    if (end < text.length) this.#pending.push(text.subarray(end));
    this.#pendingBytes += text.length - end;
    if (this.#pendingBytes <= MAX_PENDING_BYTES) return complete;
    const start = Buffer.concat(this.#pending);
    this.#clearPending();
    this.#objects = new ConcatenatedObjects(MAX_LINE_BYTES);
    return [...complete, ...this.#pushObjects(this.#objects, start)];
  }

  /** Counts and measures the lines in bytes that were written. A line can continue in the next call. */
  count(bytes: Buffer): void {
    let start = 0;
    for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, start)) {
      this.number++;
      this.#measure(at + 1 - start);
      this.#lineBytes = 0;
      start = at + 1;
    }
    this.#measure(bytes.length - start);
  }

  /** Returns the length in bytes of the longest line since the last call. */
  takeLongest(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  #measure(bytes: number): void {
    this.#lineBytes += bytes;
    this.#longest = Math.max(this.#longest, this.#lineBytes);
  }

  rest(): Buffer {
    if (this.#objects === undefined) return Buffer.concat(this.#pending);
    const rest = this.#objects.rest();
    this.rejected += this.#objects.rejected;
    return rest;
  }

  /** Returns the number of rejected parts since the last call. */
  takeRejected(): number {
    const rejected = this.rejected;
    this.rejected = 0;
    return rejected;
  }

  /**
   * Reads the objects of a line that is too long for one event. The line break ends these objects, so that a broken
   * line does not affect the lines after it.
   */
  #pushObjects(objects: ConcatenatedObjects, text: Buffer): Buffer[] {
    const end = text.indexOf(LINE_BREAK);
    const found = objects.push(end === -1 ? text : text.subarray(0, end));
    if (end === -1) return found.flatMap(asLine);
    const rest = objects.rest();
    this.rejected += objects.rejected;
    this.#objects = undefined;
    const lines = [...found, ...(rest.length === 0 ? [] : [rest])].flatMap(asLine);
    return [...lines, ...this.push(text.subarray(end + 1))];
  }

  #clearPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function asLine(object: Buffer): Buffer[] {
  return [object, NEW_LINE];
}

/** All real events of the archive are much shorter. A longer line is read object by object. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;
const LINE_BREAK = 0x0a;
const NEW_LINE = Buffer.from('\n');
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
