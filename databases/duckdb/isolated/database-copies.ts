import { existsSync } from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { overloaded, unavailable } from '../../failures.js';
import type { PublishedTable, WorkerLimits } from './protocol.js';
import { WorkerProcess } from './worker-process.js';

/** The database file that is copied. */
export interface CopySource {
  readonly file: string;
  /** Grows with every commit that a copy must have. */
  readonly version: number;
  /** Runs `work` while the file holds every such commit and no further one is written to it. */
  still<T>(work: () => Promise<T>): Promise<T>;
}

/** A copy of the published tables in its own file, which is removed when a newer copy replaces it and no query uses it. */
export class DatabaseCopy {
  #uses = 0;
  #isReplaced = false;

  constructor(
    readonly file: string,
    readonly version: number,
    readonly madeAt: Date,
  ) {}

  use(): void {
    this.#uses += 1;
  }

  async release(): Promise<void> {
    this.#uses -= 1;
    await this.#removeUnused();
  }

  async replace(): Promise<void> {
    this.#isReplaced = true;
    await this.#removeUnused();
  }

  /** A file that cannot be removed now is removed with its folder. */
  async #removeUnused(): Promise<void> {
    if (this.#isReplaced && this.#uses === 0) await rm(this.file, { force: true }).catch(() => undefined);
  }
}

export interface CopyOptions {
  /** An existing folder that holds these copies only. */
  readonly folder: string;
  readonly tables: readonly PublishedTable[];
  readonly limits: WorkerLimits;
  /** Bytes that a copy must leave free on its disk, so that it never stops the database itself. */
  readonly minFreeBytes: number;
  /** Called with a message for the operator. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Makes copies of the published tables, each when a query asks for it and the last one is outdated. A file copy costs the
 * disk's time (36 MB: 0.3 s with the start of a process), so copies take at most a twentieth of the time: a copy that took
 * a second is used for at least 19.
 */
export class DatabaseCopies {
  readonly #source: CopySource;
  readonly #options: CopyOptions;
  #latest: DatabaseCopy | undefined;
  #making: Promise<DatabaseCopy> | undefined;
  #failure: Error | undefined;
  /** When the next copy may be made, on the monotonic clock. */
  #nextAt = 0;
  #worker: WorkerProcess | undefined;
  #isClosed = false;

  constructor(source: CopySource, options: CopyOptions) {
    this.#source = source;
    this.#options = options;
  }

  /**
   * The newest copy. Waits a second at most for a newer one, and five for the first. Without any copy it throws `overloaded`
   * if the first takes longer, and `database_unavailable` if it failed.
   */
  async current(): Promise<DatabaseCopy> {
    const latest = this.#existing();
    if (latest !== undefined && !this.isOutdated(latest)) return latest;
    if (this.#making === undefined && performance.now() >= this.#nextAt) this.#startMaking();
    const patience = new AbortController();
    const waited = pause(latest === undefined ? FIRST_WAIT_MS : NEXT_WAIT_MS, undefined, { signal: patience.signal });
    await Promise.race([this.#making, waited]).catch(() => undefined);
    patience.abort();
    return this.#latest ?? this.#refuse();
  }

  /** Whether commits have been made since the copy. */
  isOutdated(copy: DatabaseCopy): boolean {
    return copy.version !== this.#source.version;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#worker?.kill();
    await this.#making?.catch(() => undefined);
    await this.#latest?.replace();
  }

  #startMaking(): void {
    const started = performance.now();
    this.#failure = undefined;
    this.#making = this.#make().finally(() => {
      this.#making = undefined;
      this.#nextAt = performance.now() + REST * (performance.now() - started);
    });
    this.#making.catch((error: Error) => {
      this.#nextAt = performance.now() + AFTER_FAILURE_MS;
      if (this.#latest === undefined) this.#failure = error;
      else if (!this.#isClosed) this.#options.onNotice?.(`${error.message} ${(error.cause as Error).message}`);
    });
  }

  async #make(): Promise<DatabaseCopy> {
    const { folder, tables, limits } = this.#options;
    // Imports wait while it copies, so it runs at the priority of the service.
    const worker = new WorkerProcess();
    this.#worker = worker;
    const file = join(folder, `${++copies}.duckdb`);
    let tooLong: NodeJS.Timeout | undefined;
    try {
      // Somebody may have removed the folder.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { size } = await stat(this.#source.file);
      tooLong = setTimeout(() => worker.kill(), MIN_COPY_MS + size / SLOWEST_BYTES_PER_MS);
      const version = await this.#source.still(() => this.#copyStill(worker, file));
      const madeAt = new Date();
      await worker.ask('publish', { file, tables, limits });
      if (this.#isClosed) throw new Error('The database is closed.');
      const previous = this.#latest;
      this.#latest = new DatabaseCopy(file, version, madeAt);
      await previous?.replace();
      return this.#latest;
    } catch (error) {
      await rm(file, { force: true }).catch(() => undefined);
      throw unavailable('No copy of the database could be made for this query.', error);
    } finally {
      clearTimeout(tooLong);
      worker.kill();
    }
  }

  /** Gives the version of the copy. A checkpoint meanwhile, by a commit that needs no copy, would damage it. */
  async #copyStill(worker: WorkerProcess, to: string): Promise<number> {
    const { file, version } = this.#source;
    await this.#requireSpace();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const before = await modifiedAt(file);
      await worker.ask('copy', { from: file, to });
      if ((await modifiedAt(file)) === before) return version;
      await rm(to);
    }
    throw new Error(`${file} was written to during each of ${MAX_ATTEMPTS} copies.`);
  }

  async #requireSpace(): Promise<void> {
    const { folder, minFreeBytes } = this.#options;
    const [{ size }, { bavail, bsize }] = await Promise.all([stat(this.#source.file), statfs(folder)]);
    const left = bavail * bsize - size;
    if (left >= minFreeBytes) return;
    const [needs, most] = [size + minFreeBytes, bavail * bsize].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`);
    throw new Error(`A copy of ${this.#source.file} needs ${needs} of free disk space at ${folder}, got ${most}.`);
  }

  /** The latest copy, unless somebody has removed its file: then the next one is due at once. */
  #existing(): DatabaseCopy | undefined {
    if (this.#latest !== undefined && !existsSync(this.#latest.file)) {
      this.#latest = undefined;
      this.#nextAt = 0;
    }
    return this.#latest;
  }

  #refuse(): never {
    if (this.#failure !== undefined) throw this.#failure;
    throw overloaded('The copy of the database for such queries is being made. Try again in a few seconds.');
  }
}

/** The number of copies so far: it makes file names unique. */
let copies = 0;

const FIRST_WAIT_MS = 5_000;
const NEXT_WAIT_MS = 1_000;
/** The time between two copies, as a multiple of the time that the last one took. */
const REST = 19;
const AFTER_FAILURE_MS = 1_000;
/** Imports wait while the file is copied, so a disk that stalls must not hold them up: 30 s, and 50 s for each gigabyte. */
const MIN_COPY_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 20_000;
const MAX_ATTEMPTS = 3;

/** In nanoseconds. */
async function modifiedAt(file: string): Promise<bigint> {
  return (await stat(file, { bigint: true })).mtimeNs;
}
