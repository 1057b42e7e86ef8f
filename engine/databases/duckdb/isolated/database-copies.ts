import { existsSync } from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { overloadedError, unavailableError } from '../../failures.js';
import type { Times } from '../../times.js';
import { copyUnchanged } from './copy-unchanged.js';
import type { OpenedFrom, PublishedTable, WorkerLimits } from './protocol.js';
import { WorkerProcess } from './worker-process.js';

/** The database file to copy. */
export interface CopySource {
  readonly file: string;
  /** A number that increases with every commit that a copy must contain. Commits of `change` do not increase it. */
  readonly version: number;
  /** Runs `work` while the database file contains all commits up to `version`, and no new commit is written to the file. */
  whileUnchanged<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
}

/** The published tables, which worker processes open. */
export interface OpenedCopy {
  readonly opens: OpenedFrom;
  /** The version of the source when this copy was created. */
  readonly version: number;
  readonly createdAt: Date;
  /** Called by each process that opens it, and `release` when the process has ended. */
  use(): void;
  release(): Promise<unknown>;
}

/** A copy of the published tables in its own file. The file is removed when a newer copy replaces it and no query uses it. */
class DatabaseCopy implements OpenedCopy {
  #uses = 0;
  #isReplaced = false;

  constructor(
    readonly opens: string,
    readonly version: number,
    readonly createdAt: Date,
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

  /** Ignores errors: a file that cannot be removed now is removed with its folder. */
  async #removeUnused(): Promise<void> {
    if (this.#isReplaced && this.#uses === 0) await rm(this.opens, { force: true }).catch(() => undefined);
  }
}

export interface CopyOptions {
  /** An existing folder that contains only the copies. */
  readonly folder: string;
  readonly tables: readonly PublishedTable[];
  readonly limits: WorkerLimits;
  /**
   * The number of bytes that must stay free on the disk of the copies, so that a copy never fills the disk that the
   * database itself needs.
   */
  readonly minFreeBytes: number;
  /** Receives messages for the operator. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Creates copies of the published tables. A new copy is created if a query needs a copy and the latest copy is
 * outdated. Copying keeps the disk busy (0.3 s for 36 MB, including the start of a process), so it may use at most a
 * twentieth of the time: after a copy that took one second, the next copy starts at least 19 seconds later.
 */
export class DatabaseCopies {
  readonly #source: CopySource;
  readonly #options: CopyOptions;
  readonly #times: Times;
  #latest: DatabaseCopy | undefined;
  /** The copy that is being created. */
  #pending: Promise<DatabaseCopy> | undefined;
  #failure: Error | undefined;
  /** The earliest start of the next copy, on the monotonic clock. */
  #nextAt = 0;
  #worker: WorkerProcess | undefined;
  #isClosed = false;

  constructor(source: CopySource, options: CopyOptions, times: Times) {
    this.#source = source;
    this.#options = options;
    this.#times = times;
  }

  /**
   * Returns the latest copy. If the latest copy is outdated, waits at most one second for a newer copy. If there is no
   * copy, waits at most five seconds for the first copy. If there is still no copy, throws `overloaded` if the first
   * copy is still being created, and `database_unavailable` if its creation failed.
   */
  async current(): Promise<OpenedCopy> {
    const latest = this.#existing();
    if (latest !== undefined && !this.isOutdated(latest)) return latest;
    if (this.#pending === undefined && this.#times.stopwatch() >= this.#nextAt) this.#startCopy();
    await this.#waitForPending(latest === undefined ? FIRST_WAIT_MS : NEXT_WAIT_MS);
    return this.#latest ?? this.#throwMissing();
  }

  /**
   * Replaces the copy, if one exists, because it contains values that were erased from the source. Running queries can still finish on the
   * old copy. If no new copy can be created, for example on a full disk, the old copy is still removed, and the next query creates a copy.
   */
  async copyAgain(): Promise<void> {
    await this.#pending?.catch(ignore);
    const erased = this.#latest;
    if (erased === undefined || this.#isClosed) return;
    this.#startCopy();
    await this.#pending?.catch(ignore);
    if (this.#latest !== erased) return;
    this.#latest = undefined;
    this.#nextAt = 0;
    await erased.replace();
  }

  /** Whether the source has commits that the copy does not contain. */
  isOutdated(copy: Pick<OpenedCopy, 'version'>): boolean {
    return copy.version !== this.#source.version;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#worker?.kill();
    await this.#pending?.catch(() => undefined);
    await this.#latest?.replace();
  }

  async #waitForPending(timeoutMs: number): Promise<void> {
    const pending = this.#pending;
    if (pending === undefined) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#times.startTimer(timeoutMs, resolve);
      pending.then(ignore, ignore).then(() => {
        cancel();
        resolve();
      });
    });
  }

  #startCopy(): void {
    const { stopwatch } = this.#times;
    const started = stopwatch();
    this.#failure = undefined;
    this.#pending = this.#createCopy().finally(() => {
      this.#pending = undefined;
      const ended = stopwatch();
      this.#nextAt = ended + REST_FACTOR * (ended - started);
    });
    this.#pending.catch((error: Error) => {
      this.#nextAt = stopwatch() + AFTER_FAILURE_MS;
      if (this.#latest === undefined) this.#failure = error;
      else if (!this.#isClosed) this.#options.onNotice?.(`${error.message} ${(error.cause as Error).message}`);
    });
  }

  async #createCopy(): Promise<DatabaseCopy> {
    const { folder, tables, limits } = this.#options;
    // Imports wait for the copy, so the worker process has the same priority as the service.
    const worker = new WorkerProcess();
    this.#worker = worker;
    const file = join(folder, `${++copies}.duckdb`);
    let cancelKill = () => {};
    try {
      // The folder is created again in case another program has removed it.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { size } = await stat(this.#source.file);
      const timeoutMs = MIN_COPY_MS + Math.ceil(size / SLOWEST_BYTES_PER_MS);
      cancelKill = this.#times.startTimer(timeoutMs, () => worker.kill());
      const version = await this.#source.whileUnchanged(() => this.#copyFile(worker, file));
      const createdAt = this.#times.clock();
      await worker.ask('publish', { file, tables, limits });
      if (this.#isClosed) throw new Error('The database is closed.');
      const previous = this.#latest;
      this.#latest = new DatabaseCopy(file, version, createdAt);
      await previous?.replace();
      return this.#latest;
    } catch (error) {
      await rm(file, { force: true }).catch(() => undefined);
      throw unavailableError('The copy of the database that this query needs could not be created.', error);
    } finally {
      cancelKill();
      worker.kill();
    }
  }

  /** Copies the file and returns the version of the copy. */
  async #copyFile(worker: WorkerProcess, to: string): Promise<number> {
    const { file, version } = this.#source;
    await this.#requireSpace();
    await copyUnchanged(worker, file, to);
    return version;
  }

  async #requireSpace(): Promise<void> {
    const { folder, minFreeBytes } = this.#options;
    const [{ size }, { bavail, bsize }] = await Promise.all([stat(this.#source.file), statfs(folder)]);
    const [needed, free] = [size + minFreeBytes, bavail * bsize];
    if (free >= needed) return;
    const [expected, got] = [needed, free].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`);
    throw new Error(`A copy of ${this.#source.file} needs ${expected} of free disk space at ${folder}, got ${got}.`);
  }

  /**
   * Returns the latest copy. Returns undefined if another program has removed its file; the next copy may then start
   * immediately.
   */
  #existing(): DatabaseCopy | undefined {
    if (this.#latest !== undefined && !existsSync(this.#latest.opens)) {
      this.#latest = undefined;
      this.#nextAt = 0;
    }
    return this.#latest;
  }

  #throwMissing(): never {
    if (this.#failure !== undefined) throw this.#failure;
    throw overloadedError('The copy of the database for such queries is being created. Try again in a few seconds.');
  }
}

function ignore(): void {}

/** The number of copies so far. The number makes file names unique. */
let copies = 0;

const FIRST_WAIT_MS = 5_000;
const NEXT_WAIT_MS = 1_000;
/** The pause between two copies, as a multiple of the time that the last copy took. */
const REST_FACTOR = 19;
const AFTER_FAILURE_MS = 1_000;
/** The time limit of a copy is 30 s plus 50 s per gigabyte, so that a slow disk does not block imports, which wait, for longer. */
const MIN_COPY_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 20_000;
