import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/**
 * A gzip file being written. It has its name only once it is whole: until then `.part` is added. The fastest level is
 * taken, since such a file is read once and may be thrown away.
 */
export class GzipLines {
  readonly file: string;
  readonly #gzip = createGzip({ level: 1, chunkSize: 64 * 1024 });
  readonly #written: Promise<void>;

  constructor(file: string) {
    this.file = file;
    this.#written = pipeline(this.#gzip, createWriteStream(`${file}.part`));
    // Told by `write` and `close`; without this, a failure between two of their calls would end the process.
    this.#written.catch(() => undefined);
  }

  /** Waits for the disk when it is behind, so that memory stays bounded. */
  async write(text: string): Promise<void> {
    if (text === '' || this.#gzip.write(text)) return;
    await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  async close(): Promise<void> {
    this.#gzip.end();
    await this.#written;
    await rename(`${this.file}.part`, this.file);
  }

  /** Gives up and leaves nothing behind. */
  async discard(): Promise<void> {
    this.#gzip.destroy();
    await this.#written.catch(() => undefined);
    await rm(`${this.file}.part`, { force: true });
  }
}

/** The values of a gzip file with one JSON value a line. */
export async function* readGzipLines(file: string): AsyncGenerator<unknown> {
  const source = createReadStream(file).on('error', (error) => text.destroy(error));
  const text = createGunzip();
  for await (const line of createInterface({ input: source.pipe(text) })) yield JSON.parse(line);
}
