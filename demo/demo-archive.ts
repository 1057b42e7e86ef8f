import { join } from 'node:path';
import { GzipLines } from './gzip-lines.js';

/** So many events a day that a file of a month would be too long to be imported in one piece. */
const BUSY_DAY = 5_000;

/**
 * The files of the events, named by what they hold: `demo-2026-03.json.gz`, or `demo-2026-03-14.json.gz` when days are
 * busy. The archive's own files are hourly; so many small ones would be slow to import.
 */
export class DemoArchive {
  readonly #directory: string;
  readonly #nameLength: number;
  readonly #files: string[] = [];
  #open: GzipLines | undefined;

  constructor(directory: string, eventsPerDay: number) {
    this.#directory = directory;
    this.#nameLength = eventsPerDay > BUSY_DAY ? 'YYYY-MM-DD'.length : 'YYYY-MM'.length;
  }

  /** Appends the lines of a day, `YYYY-MM-DD`; days come in their order. */
  async write(day: string, lines: Iterable<string>): Promise<void> {
    const file = join(this.#directory, `demo-${day.slice(0, this.#nameLength)}.json.gz`);
    if (this.#open?.file !== file) {
      await this.#open?.close();
      this.#open = new GzipLines(file);
      this.#files.push(file);
    }
    await this.#open.write(lines);
  }

  /** The files written, in the order of time. */
  async close(): Promise<string[]> {
    await this.#open?.close();
    this.#open = undefined;
    return this.#files;
  }

  async discard(): Promise<void> {
    await this.#open?.discard();
  }
}
