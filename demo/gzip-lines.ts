import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';

const PAGE_BYTES = 256 * 1024;

/**
 * A gzip file being written. It has its name only once it is whole: until then `.part` is added. The fastest level is
 * taken, since such a file is read once and may be thrown away.
 */
export class GzipLines {
  readonly file: string;
  /** Pages that wait for the compressor, which has its own thread: enough of them to keep both busy. */
  readonly #waiting = new PassThrough({ highWaterMark: 8 * PAGE_BYTES });
  readonly #written: Promise<void>;
  #page = Buffer.allocUnsafe(PAGE_BYTES);
  #used = 0;

  constructor(file: string) {
    this.file = file;
    this.#written = pipeline(
      this.#waiting,
      createGzip({ level: 1, chunkSize: PAGE_BYTES }),
      createWriteStream(`${file}.part`),
    );
    // Told by `write` and `close`; without this, a failure between two of their calls would end the process.
    this.#written.catch(() => undefined);
  }

  /** Appends lines, which end in a line break; waits for the disk when it is behind, so that memory stays bounded. */
  async write(lines: Iterable<string>): Promise<void> {
    for (const line of lines) {
      // A UTF-16 unit takes at most three bytes.
      const most = 3 * line.length;
      if (this.#used + most > this.#page.length) await this.#turnPage(most);
      this.#used += this.#page.write(line, this.#used);
    }
  }

  async close(): Promise<void> {
    this.#waiting.end(this.#page.subarray(0, this.#used));
    await this.#written;
    await rename(`${this.file}.part`, this.file);
  }

  /** Gives up and leaves nothing behind. */
  async discard(): Promise<void> {
    this.#waiting.destroy();
    await this.#written.catch(() => undefined);
    await rm(`${this.file}.part`, { force: true });
  }

  async #turnPage(least: number): Promise<void> {
    const ready = this.#waiting.write(this.#page.subarray(0, this.#used));
    this.#page = Buffer.allocUnsafe(Math.max(PAGE_BYTES, least));
    this.#used = 0;
    // Without a turn of the event loop, the compressor would not be given its next page until the queue is full.
    if (ready) await setImmediate();
    else await Promise.race([once(this.#waiting, 'drain'), this.#written]);
  }
}

/** Writes a whole file, or none. */
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
