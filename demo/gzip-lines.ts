import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';

const PAGE_BYTES = 256 * 1024;

/**
 * Writes a gzip file. The file has the suffix `.part` until it is complete. Uses the fastest compression level, because
 * a demo file is usually read once.
 */
export class GzipLines {
  readonly file: string;
  /** The queue of text for the compressor, which runs in another thread. The queue is long enough to keep both threads busy. */
  readonly #queue = new PassThrough({ highWaterMark: 8 * PAGE_BYTES });
  readonly #finished: Promise<void>;
  #page = Buffer.allocUnsafe(PAGE_BYTES);
  #used = 0;

  constructor(file: string) {
    this.file = file;
    this.#finished = pipeline(
      this.#queue,
      createGzip({ level: 1, chunkSize: PAGE_BYTES }),
      createWriteStream(`${file}.part`),
    );
    // `write` and `close` throw this failure. Without this handler, a failure between two calls would be an unhandled rejection and end the
    // process.
    this.#finished.catch(() => undefined);
  }

  /** Appends lines, which must include their line breaks. If the disk is slower than the caller, it waits, to limit the memory. */
  async write(lines: Iterable<string>): Promise<void> {
    for (const line of lines) {
      // A UTF-16 unit takes at most three bytes.
      const maxBytes = 3 * line.length;
      if (this.#used + maxBytes > this.#page.length) await this.#flushPage(maxBytes);
      this.#used += this.#page.write(line, this.#used);
    }
  }

  /** Finishes the file and renames it to its final name. */
  async close(): Promise<void> {
    this.#queue.end(this.#page.subarray(0, this.#used));
    await this.#finished;
    await rename(`${this.file}.part`, this.file);
  }

  /** Stops writing and deletes the unfinished file. */
  async discard(): Promise<void> {
    this.#queue.destroy();
    await this.#finished.catch(() => undefined);
    await rm(`${this.file}.part`, { force: true });
  }

  async #flushPage(minBytes: number): Promise<void> {
    const ready = this.#queue.write(this.#page.subarray(0, this.#used));
    this.#page = Buffer.allocUnsafe(Math.max(PAGE_BYTES, minBytes));
    this.#used = 0;
    // The compressor only gets its next page when the event loop runs.
    if (ready) await setImmediate();
    else await Promise.race([once(this.#queue, 'drain'), this.#finished]);
  }
}

/** Writes a complete file. If writing fails, no file is left. */
export async function writeGzipLines(file: string, lines: Iterable<string>): Promise<void> {
  const target = new GzipLines(file);
  try {
    await target.write(lines);
    await target.close();
  } catch (error) {
    await target.discard();
    throw error;
  }
}
