import { rm } from 'node:fs/promises';
import { sqlTime } from '../../engine/index.js';
import type { Store } from '../store/store.js';
import { Batch } from './batch.js';
import { EventFileError } from './files/event-file.js';
import type { ImportOptions, ImportProgress } from './import-options.js';
import type { KnownFiles } from './known-files.js';
import { closeSource, type OpenedSource, type SourceOptions } from './open-source.js';
import { Staging } from './staging/staging.js';
import { type FileOutcome, outcome } from './summary.js';

const DEFAULT_BROKEN_SHARE = 0.02;

/** One import: takes opened sources in their order, batch by batch, and keeps account of them. */
export class ImportRun {
  readonly sourceOptions: SourceOptions;
  readonly #store: Store;
  readonly #staging: Staging;
  readonly #options: ImportOptions;
  readonly #known: KnownFiles;
  readonly #outcomes: FileOutcome[] = [];
  readonly #downloads = new Map<number, string>();
  #batch: Batch;
  #progress: ImportProgress;

  constructor(store: Store, folder: string, totalFiles: number, options: ImportOptions, known: KnownFiles) {
    this.#store = store;
    this.#staging = new Staging(store, folder);
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
      if (await this.#batch.hasEvents(this.#options.batchEvents ?? this.#store.batchEvents)) await this.#load();
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
      // Anything else, such as a full disk, is no fault of the file and would meet the next one as well.
      if (!(error instanceof EventFileError)) throw error;
      await this.#batch.drop(source);
      await this.#end([outcome(file, name, place, 'failed', error.message)]);
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
    const { now, brokenShare = DEFAULT_BROKEN_SHARE, again = false, complete = false } = this.#options;
    return new Batch(this.#store, this.#staging, {
      brokenShare,
      importedAt: sqlTime(now),
      again,
      complete,
    });
  }
}
