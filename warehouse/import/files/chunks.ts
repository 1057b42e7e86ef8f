import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ConcatenatedObjects } from './concatenated.js';
import { MAX_LINE_BYTES } from './event-columns.js';

/** A file of whole lines, part of one source. */
export interface Chunk {
  readonly path: string;
  readonly bytes: number;
  /** Number, from 1, of its first line in the source; of its first object where the source has no line breaks. */
  readonly firstLine: number;
  /** Objects too long to be read, and bytes between objects that belong to none. */
  readonly refused: number;
}

/**
 * Bytes after which a chunk ends. DuckDB reads a file of this size on one thread; several keep all of them busy. Reading
 * needs no more of the disk than a few chunks, however long the source is.
 */
export const CHUNK_BYTES = 4 * 1024 * 1024;

/** Writes text as chunk files `<name>-<n>.json`, which belong to the caller. The last line may lack its line break. */
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
        yield await closed(chunk, lines.takeRefused());
        chunk = undefined;
      }
    }
    const rest = lines.rest();
    if (rest.length > 0) {
      chunk ??= await openChunk(join(folder, `${name}-${count++}.json`), lines.number);
      await write(chunk, rest);
    }
    chunk ??= lines.refused > 0 ? await openChunk(join(folder, `${name}-${count++}.json`), lines.number) : undefined;
    if (chunk === undefined) return;
    const last = await closed(chunk, lines.takeRefused());
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

async function closed(chunk: OpenChunk, refused: number): Promise<Chunk> {
  await chunk.handle.close();
  return { path: chunk.path, bytes: chunk.bytes, firstLine: chunk.firstLine, refused };
}

/** Cuts pieces of text after their last line break. A line too long to be one event is taken for objects in a row. */
class Lines {
  number = 1;
  refused = 0;
  #atStart = true;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #objects: ConcatenatedObjects | undefined;

  push(piece: Buffer): Buffer[] {
    const text = this.#atStart && piece.subarray(0, 3).equals(BYTE_ORDER_MARK) ? piece.subarray(3) : piece;
    this.#atStart = false;
    if (this.#objects !== undefined) return this.#pushObjects(this.#objects, text);
    const end = text.lastIndexOf(LINE_BREAK) + 1;
    const complete = end === 0 ? [] : [...this.#pending, text.subarray(0, end)];
    if (end > 0) this.#forgetPending();
    if (end < text.length) this.#pending.push(text.subarray(end));
    this.#pendingBytes += text.length - end;
    if (this.#pendingBytes <= JOINED_BYTES) return complete;
    const start = Buffer.concat(this.#pending);
    this.#forgetPending();
    this.#objects = new ConcatenatedObjects(MAX_LINE_BYTES);
    return [...complete, ...this.#pushObjects(this.#objects, start)];
  }

  /** Counts the line breaks of bytes that were written. */
  count(bytes: Buffer): void {
    for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) this.number++;
  }

  rest(): Buffer {
    if (this.#objects === undefined) return Buffer.concat(this.#pending);
    const rest = this.#objects.rest();
    this.refused += this.#objects.refused;
    return rest;
  }

  takeRefused(): number {
    const refused = this.refused;
    this.refused = 0;
    return refused;
  }

  /** A line break ends the row of objects, so that one broken line cannot swallow those after it. */
  #pushObjects(objects: ConcatenatedObjects, text: Buffer): Buffer[] {
    const end = text.indexOf(LINE_BREAK);
    const found = objects.push(end === -1 ? text : text.subarray(0, end));
    if (end === -1) return found.flatMap(asLine);
    const rest = objects.rest();
    this.refused += objects.refused;
    this.#objects = undefined;
    const lines = [...found, ...(rest.length === 0 ? [] : [rest])].flatMap(asLine);
    return [...lines, ...this.push(text.subarray(end + 1))];
  }

  #forgetPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function asLine(object: Buffer): Buffer[] {
  return [object, NEW_LINE];
}

/** No event of the archive comes near; a longer line is looked at object by object. */
const JOINED_BYTES = 4 * 1024 * 1024;
const LINE_BREAK = 0x0a;
const NEW_LINE = Buffer.from('\n');
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
