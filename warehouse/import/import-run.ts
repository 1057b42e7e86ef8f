import { rm } from 'node:fs/promises';
import { sqlTime } from '../../engine/index.js';
import type { Store } from '../store/store.js';
import { Batch } from './batch.js';
import { ExpectedBytes } from './expected-bytes.js';
import { EventFileError } from './files/event-file.js';
import type { ImportOptions, ImportProgress } from './import-options.js';
import type { KnownFiles } from './known-files.js';
import { closeSource, type OpenedSource, type SourceOptions } from './open-source.js';
import { StagingTable } from './staging/staging-table.js';
import { createOutcome, type FileOutcome } from './summary.js';

const DEFAULT_BROKEN_SHARE = 0.02;

/** One import: loads opened sources in their order, batch by batch, and collects their outcomes. */
export class ImportRun {
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

  /** Stages a file. Removes all its lines if it is faulty or the signal aborts. */
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
      // Other errors, such as a full disk, are not caused by the file. They would also stop the next file.
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
   * Adds outcomes and deletes the downloads of their files. A download is no longer needed: its events are now in the
   * tables, or the file cannot be used.
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
