import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import { Batch } from './batch.js';
import { inOrder } from './in-order.js';
import { KnownFiles } from './known-files.js';
import { closeSource, type OpenedSource, openSource, type SourceOptions } from './open-source.js';
import { findSources } from './sources.js';
import { Staging } from './staging.js';
import { type FileOutcome, type ImportSummary, outcome, summarize } from './summary.js';

export interface ImportOptions {
  /** The folder from which the database may read files. The import uses a folder of its own in it. */
  readonly stagingDirectory: string;
  /** Where downloads go until they are imported; a later import continues what a broken one left there. */
  readonly downloadDirectory: string;
  /** The time that the ledger notes. */
  readonly now: Date;
  /** Base URL of hour ranges. Default: the public archive. */
  readonly archiveUrl?: string;
  /** Files that are downloaded or unpacked at the same time. Default 4. */
  readonly concurrency?: number;
  /** Share of a file's lines, from 0 to 1, that may be broken. Default 0.02. */
  readonly brokenShare?: number;
  /** Events after which a batch is committed, at the end of a file. Default 300,000. */
  readonly batchEvents?: number;
  readonly retries?: number;
  readonly retryWaitMs?: number;
  readonly stallMs?: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops after the batch at hand, which keeps the files that were read to their end. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  /** Bytes read of files as they are, mostly compressed, and of all files so far as their sizes are known. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Events read; those that were there already are taken off when their batch is committed. */
  readonly events: number;
  readonly files: number;
  readonly totalFiles: number;
}

/**
 * Imports files, folders, URLs and hour ranges (see `findSources`) in whole files and whole transactions: after a crash at
 * any moment, the same import again gives what one undisturbed import gives. What is wrong with one file is told in its
 * outcome and stops no other. Throws `SourceError`.
 */
export async function importSources(
  database: EmbeddedDatabase,
  words: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  const sources = await findSources(words, options.archiveUrl);
  const started = performance.now();
  const folder = join(options.stagingDirectory, 'import');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const run = new ImportRun(database, folder, sources.length, options, await KnownFiles.read(database));
  try {
    const opened = inOrder(
      sources,
      options.concurrency ?? 4,
      (source, file) => openSource(source, file, run.sourceOptions),
      closeSource,
    );
    const outcomes = await run.take(opened);
    const seconds = (performance.now() - started) / 1000;
    return summarize(outcomes, seconds, outcomes.length < sources.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const DEFAULT_BATCH_EVENTS = 300_000;
const DEFAULT_BROKEN_SHARE = 0.02;

class ImportRun {
  readonly sourceOptions: SourceOptions;
  readonly #database: EmbeddedDatabase;
  readonly #staging: Staging;
  readonly #options: ImportOptions;
  readonly #known: KnownFiles;
  readonly #outcomes: FileOutcome[] = [];
  readonly #downloads = new Map<number, string>();
  #batch: Batch;
  #progress: ImportProgress;

  constructor(
    database: EmbeddedDatabase,
    folder: string,
    totalFiles: number,
    options: ImportOptions,
    known: KnownFiles,
  ) {
    this.#database = database;
    this.#staging = new Staging(database, folder);
    this.#options = options;
    this.#known = known;
    this.#progress = { bytes: 0, totalBytes: 0, events: 0, files: 0, totalFiles };
    this.#batch = this.#newBatch();
    this.sourceOptions = {
      ...options,
      folder,
      known,
      onBytes: (bytes) => this.#tell({ bytes: this.#progress.bytes + bytes }),
      onSize: (bytes) => this.#tell({ totalBytes: this.#progress.totalBytes + bytes }),
    };
  }

  async take(sources: AsyncIterable<OpenedSource | FileOutcome>): Promise<FileOutcome[]> {
    await this.#staging.clear();
    for await (const source of sources) {
      if (this.#options.signal?.aborted) {
        closeSource(source);
        break;
      }
      if ('state' in source) await this.#end([source]);
      else await this.#read(source);
      if (this.#batch.events >= (this.#options.batchEvents ?? DEFAULT_BATCH_EVENTS)) await this.#load();
    }
    await this.#load();
    return this.#outcomes;
  }

  /** Stages a file. On a fault, or when the signal comes, nothing of it stays. */
  async #read(source: OpenedSource): Promise<void> {
    const { file, name, source: place } = source;
    if (source.downloaded !== undefined) this.#downloads.set(file, source.downloaded);
    try {
      for await (const chunk of source.chunks) {
        await this.#batch.add(source, chunk);
        this.#tell({ events: this.#loadedEvents() + this.#batch.events });
        if (this.#options.signal?.aborted) return await this.#batch.drop(source);
      }
      const digest = source.digest();
      const twin = this.#known.add({ digest, bytes: source.bytes, source: place });
      if (twin === undefined) return this.#batch.finish(source, digest);
      await this.#batch.drop(source);
      await this.#end([outcome(file, name, place, 'skipped', twin)]);
    } catch (error) {
      await this.#batch.drop(source);
      await this.#end([outcome(file, name, place, 'failed', (error as Error).message)]);
    } finally {
      closeSource(source);
    }
  }

  async #load(): Promise<void> {
    const outcomes = await this.#batch.load();
    this.#batch = this.#newBatch();
    for (const { state, source } of outcomes) if (state === 'refused') this.#known.forget(source);
    await this.#end(outcomes);
  }

  /** A download is deleted once it is clear what became of it: it is in the tables, or it is of no use. */
  async #end(outcomes: readonly FileOutcome[]): Promise<void> {
    this.#outcomes.push(...outcomes);
    this.#tell({ files: this.#outcomes.length, events: this.#loadedEvents() + this.#batch.events });
    for (const { file } of outcomes) {
      const path = this.#downloads.get(file);
      if (path !== undefined) await rm(path, { force: true });
      this.#downloads.delete(file);
    }
  }

  #loadedEvents(): number {
    return this.#outcomes.reduce((sum, { events, alreadyThere }) => sum + events - alreadyThere, 0);
  }

  #tell(change: Partial<ImportProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#options.onProgress?.(this.#progress);
  }

  #newBatch(): Batch {
    const { now, brokenShare = DEFAULT_BROKEN_SHARE } = this.#options;
    return new Batch(this.#database, this.#staging, {
      brokenShare,
      importedAt: now.toISOString().slice(0, 19).replace('T', ' '),
    });
  }
}
