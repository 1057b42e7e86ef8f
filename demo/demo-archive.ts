import { join } from 'node:path';
import { GzipLines } from './gzip-lines.js';

/** From this number of events per day, files are daily, because a monthly file would be too long for one import. */
const BUSY_DAY = 5_000;

/**
 * The event files, named by their period: `demo-2026-03.json.gz`, or `demo-2026-03-14.json.gz` for busy days. Hourly
 * files, as in the real archive, would be slow to import because they are small.
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

  /** Appends the lines of a day (`YYYY-MM-DD`). Days must come in their order. */
  async write(day: string, lines: Iterable<string>): Promise<void> {
    const file = join(this.#directory, `demo-${day.slice(0, this.#nameLength)}.json.gz`);
    if (this.#open?.file !== file) {
      await this.#open?.close();
      this.#open = new GzipLines(file);
      this.#files.push(file);
    }
    await this.#open.write(lines);
  }

  /** Finishes the last file and returns all files, ordered by time. */
  async close(): Promise<string[]> {
    await this.#open?.close();
    this.#open = undefined;
    return this.#files;
  }

  /** Deletes the unfinished file. */
  async discard(): Promise<void> {
    await this.#open?.discard();
  }
}
