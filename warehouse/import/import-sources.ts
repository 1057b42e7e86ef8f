import { mkdir, rm } from 'node:fs/promises';
import { createOwnFolder } from '../../engine/databases/own-folder.js';
import { sqlTime } from '../../engine/index.js';
import { AlreadyRunningError, type Store } from '../store/store.js';
import { Batch } from './batch.js';
import { EventFileError } from './files/event-file.js';
import { findSources } from './files/sources.js';
import type { ImportOptions, ImportProgress } from './import-options.js';
import { KnownFiles } from './ledger.js';
import { closeSource, type OpenedSource, openSource, type SourceOptions } from './open-source.js';
import { StagingTable } from './staging/staging-table.js';
import { createOutcome, type FileOutcome, type ImportSummary, summarize } from './summary.js';

/** Thrown if another import is running on the database, because only one import can use the staging tables. */
export class ImportRunningError extends Error {
  override readonly name = 'ImportRunningError';

  constructor(readonly holder: string) {
    super(`Another import is running on this database, in ${holder}. Start this one again when it has ended.`);
  }
}

/**
 * Imports files, folders, URLs and hour ranges (see `findSources`). Each transaction contains complete files, so if an import is repeated
 * after a crash, the result is the same as without the crash. An error in one file is reported in its outcome and does not stop the other
 * files. With `again`, the rows of earlier imports of the same files and hours are replaced in the same transaction, as are all derived
 * tables. Throws `SourceError` and `ImportRunningError`.
 */
export async function importSources(
  store: Store,
  words: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  return store
    .runExclusively(IMPORT, WAIT_SECONDS, () => importAll(store, words, options))
    .catch((error: unknown) => {
      throw error instanceof AlreadyRunningError ? new ImportRunningError(error.holder) : error;
    });
}

/** The name of the lock for the staging tables. */
export const IMPORT = 'import';

/**
 * How long an import waits for the staging tables. A server may need this time to detect that another import was killed, and the events of
 * feeds use the tables for one transaction.
 */
const WAIT_SECONDS = 10;

async function importAll(store: Store, words: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const sources = await findSources(words, options.archiveUrl);
  const started = performance.now();
  await mkdir(options.stagingDirectory, { recursive: true });
  const folder = await createOwnFolder(options.stagingDirectory, 'import');
  const run = new ImportRun(
    store,
    folder.path,
    sources.length,
    options,
    options.again === true ? new KnownFiles() : await KnownFiles.read(store),
  );
  try {
    const opened = mapInOrder(
      sources,
      options.concurrency ?? 4,
      (source, file) => openSource(source, file, run.sourceOptions),
      closeSource,
    );
    const outcomes = await run.importAll(opened);
    await store.optimize();
    const seconds = (performance.now() - started) / 1000;
    return summarize(outcomes, seconds, outcomes.length < sources.length);
  } finally {
    // If an import fails, files that are still being unpacked can appear during the deletion. The next import removes these files.
    await folder.remove().catch(() => undefined);
  }
}

/**
 * Runs `work` on the items, for at most `width` items at the same time, and yields the results in the order of the items. If the consumer
 * stops early, the remaining results are passed to `discard`.
 */
async function* mapInOrder<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
  discard: (result: R) => void,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  let next = 0;
  const start = () => {
    if (next >= items.length) return;
    const result = work(items[next] as T, next);
    // The consumer gets the error when it awaits the result. Without this handler, an error that occurs earlier would be an unhandled
    // rejection and end the process.
    result.catch(() => undefined);
    running.push(result);
    next++;
  };
  for (let count = 0; count < width; count++) start();
  try {
    for (let first = running.shift(); first !== undefined; first = running.shift()) {
      const result = await first;
      start();
      yield result;
    }
  } finally {
    for (const result of await Promise.allSettled(running)) if (result.status === 'fulfilled') discard(result.value);
  }
}

const DEFAULT_BROKEN_SHARE = 0.02;

/** One import: loads opened sources in their order, batch by batch, and collects their outcomes. */
class ImportRun {
  readonly sourceOptions: SourceOptions;
  readonly #store: Store;
  readonly #staging: StagingTable;
  readonly #options: ImportOptions;
  readonly #known: KnownFiles;
  readonly #outcomes: FileOutcome[] = [];
  readonly #downloads = new Map<number, string>();
  readonly #expected: ExpectedBytes;
  #batch: Batch;
  #progress: ImportProgress;

  constructor(store: Store, folder: string, totalFiles: number, options: ImportOptions, known: KnownFiles) {
    this.#store = store;
    this.#staging = new StagingTable(store, folder);
    this.#options = options;
    this.#known = known;
    this.#expected = new ExpectedBytes(totalFiles);
    this.#progress = { bytes: 0, totalBytes: 0, events: 0, files: 0, totalFiles };
    this.#batch = this.#newBatch();
    this.sourceOptions = {
      ...options,
      folder,
      known,
      onBytes: (bytes) => this.#report({ bytes: this.#progress.bytes + bytes }),
      onSize: (file, bytes) => {
        this.#expected.addSize(file, bytes);
        this.#report({});
      },
    };
  }

  async importAll(sources: AsyncIterable<OpenedSource | FileOutcome>): Promise<FileOutcome[]> {
    await this.#staging.clear();
    for await (const source of sources) {
      if (this.#options.signal?.aborted) {
        closeSource(source);
        break;
      }
      if ('state' in source) await this.#end([source]);
      else await this.#read(source);
      if (await this.#batch.hasEvents(this.#options.batchEvents ?? this.#store.batchEvents)) await this.#load();
    }
    await this.#load();
    return this.#outcomes;
  }

  /** Stages a file. Removes all its lines if the file is invalid or the signal aborts. */
  async #read(source: OpenedSource): Promise<void> {
    const { file, name, source: place } = source;
    if (source.downloaded !== undefined) this.#downloads.set(file, source.downloaded);
    try {
      for await (const chunk of source.chunks) {
        await this.#batch.add(source, chunk);
        this.#report({ events: this.#loadedEvents() + this.#batch.events });
        if (this.#options.signal?.aborted) return await this.#batch.drop(source);
      }
      const digest = source.digest();
      const reasonToSkip = this.#known.add({ digest, bytes: source.bytes, source: place });
      if (reasonToSkip === undefined) return this.#batch.finish(source, digest);
      await this.#batch.drop(source);
      await this.#end([createOutcome(file, name, place, 'skipped', reasonToSkip)]);
    } catch (error) {
      // Other errors, such as a full disk, are not caused by the file, and would also affect the next file.
      if (!(error instanceof EventFileError)) throw error;
      await this.#batch.drop(source);
      await this.#end([createOutcome(file, name, place, 'failed', error.message)]);
    } finally {
      closeSource(source);
    }
  }

  async #load(): Promise<void> {
    const outcomes = await this.#batch.load();
    this.#batch = this.#newBatch();
    for (const { state, source } of outcomes) if (state === 'refused') this.#known.remove(source);
    await this.#end(outcomes);
  }

  /**
   * Adds outcomes and deletes the downloads of their files. The downloads are no longer needed: the events are stored, or the file is
   * unusable.
   */
  async #end(outcomes: readonly FileOutcome[]): Promise<void> {
    this.#outcomes.push(...outcomes);
    for (const { file } of outcomes) this.#expected.addEnd(file);
    this.#report({ files: this.#outcomes.length, events: this.#loadedEvents() + this.#batch.events });
    for (const { file } of outcomes) {
      const path = this.#downloads.get(file);
      if (path !== undefined) await rm(path, { force: true });
      this.#downloads.delete(file);
    }
  }

  #loadedEvents(): number {
    return this.#outcomes.reduce((sum, { events, alreadyThere }) => sum + events - alreadyThere, 0);
  }

  #report(change: Partial<ImportProgress>): void {
    this.#progress = { ...this.#progress, ...change, totalBytes: this.#expected.total() };
    this.#options.onProgress?.(this.#progress);
  }

  #newBatch(): Batch {
    const {
      now,
      brokenShare = DEFAULT_BROKEN_SHARE,
      again = false,
      complete = false,
      archiveHours = false,
    } = this.#options;
    return new Batch(this.#store, this.#staging, {
      brokenShare,
      archiveHours,
      importedAt: sqlTime(now),
      again,
      isReadNow: (digest) => this.#known.reasonToSkip(digest) !== undefined,
      complete,
    });
  }
}

/** Estimates the total size of all files of an import from the known sizes. */
class ExpectedBytes {
  readonly #files: number;
  readonly #withSize = new Set<number>();
  #bytes = 0;
  #withoutSize = 0;

  constructor(files: number) {
    this.#files = files;
  }

  /** Adds the size of a file that was opened. */
  addSize(file: number, bytes: number): void {
    this.#withSize.add(file);
    this.#bytes += bytes;
  }

  /** Records that a file has ended. If the size of the file is not known, nothing was read from it. */
  addEnd(file: number): void {
    if (!this.#withSize.has(file)) this.#withoutSize++;
  }

  /** Returns the sum of the known sizes, plus the mean known size for each file that was not opened yet. */
  total(): number {
    const opened = this.#withSize.size;
    if (opened === 0) return 0;
    return this.#bytes + Math.round((this.#bytes / opened) * (this.#files - opened - this.#withoutSize));
  }
}
