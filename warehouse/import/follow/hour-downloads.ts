import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createOwnFolder, type OwnFolder } from '../../../databases/duckdb/connection/own-folder.js';
import { type ArchiveHour, formatArchiveHour, hourOfFile } from '../files/archive-hours.js';
import { DownloadError } from '../files/download.js';
import { EventFileError, readToEnd } from '../files/event-file.js';
import { findSources, type Source } from '../files/sources.js';
import type { ImportOptions } from '../import-options.js';
import { fetchSource, NOT_ON_SERVER } from '../open-source.js';
import { createOutcome, type FileOutcome } from '../summary.js';

/** An hour whose file is complete in the folder; `problem` says why it is not. */
export interface DownloadedHour {
  readonly hour: ArchiveHour;
  readonly problem?: FileOutcome;
}

/**
 * Downloads hours of the archive without the lock of imports, so that a slow download blocks no import. The folder belongs to this
 * process alone; an import with it as `downloadDirectory` finds the complete files and deletes them.
 */
export class HourDownloads {
  readonly #options: Pick<ImportOptions, 'downloadDirectory' | 'archiveUrl' | 'stallMs'>;
  #folder: Promise<OwnFolder> | undefined;
  /** The times of the files that were read to their end. A file can wait for the end of another import. */
  readonly #complete = new Map<ArchiveHour, number>();

  constructor(options: Pick<ImportOptions, 'downloadDirectory' | 'archiveUrl' | 'stallMs'>) {
    this.#options = options;
  }

  /** The folder of the files. An earlier process that was killed may have left its folder, which is removed. */
  async folder(): Promise<string> {
    this.#folder ??= this.#createFolder();
    return (await this.#folder).path;
  }

  /**
   * Downloads the hours, and yields those that have ended since the last time. Further downloads continue meanwhile. It stops them
   * when the caller stops reading or the signal aborts; the next call continues them.
   */
  async *fetch(hours: readonly ArchiveHour[], signal: AbortSignal): AsyncGenerator<readonly DownloadedHour[]> {
    const stopping = new AbortController();
    const stop = AbortSignal.any([signal, stopping.signal]);
    const waiting = [...hours];
    const running = new Set<Promise<void>>();
    const ended: DownloadedHour[] = [];
    let failure: unknown;
    const start = (hour: ArchiveHour) => {
      const one: Promise<void> = this.#download(hour, stop)
        .then((result) => void ended.push(result))
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => {
          running.delete(one);
          startNext();
        });
      running.add(one);
    };
    const startNext = () => {
      const hour = stop.aborted ? undefined : waiting.shift();
      if (hour !== undefined) start(hour);
    };
    for (let count = 0; count < CONCURRENCY; count++) startNext();
    try {
      while (running.size > 0 || ended.length > 0) {
        if (ended.length === 0) await Promise.race(running);
        if (failure !== undefined) throw failure;
        if (ended.length > 0) yield ended.splice(0);
      }
    } finally {
      stopping.abort();
      await Promise.all(running);
    }
  }

  /** Deletes the files of all hours but these. Another process may have imported some of the others. */
  async keepOnly(hours: readonly ArchiveHour[]): Promise<void> {
    const kept = new Set<ArchiveHour | undefined>(hours);
    const folder = await this.folder();
    for (const name of await readdir(folder).catch(() => [])) {
      if (!kept.has(hourOfFile(name))) await rm(join(folder, name), { force: true });
    }
    for (const hour of this.#complete.keys()) if (!kept.has(hour)) this.#complete.delete(hour);
  }

  async remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    await folder?.remove();
    this.#folder = undefined;
  }

  async #createFolder(): Promise<OwnFolder> {
    const { downloadDirectory: parent } = this.#options;
    try {
      await mkdir(parent, { recursive: true });
      return await createOwnFolder(parent, 'follow');
    } catch (error) {
      this.#folder = undefined;
      throw error;
    }
  }

  /** Downloads an hour and reads its file to the end, because only the checksum of gzip proves that the file is complete. */
  async #download(hour: ArchiveHour, signal: AbortSignal): Promise<DownloadedHour> {
    const [source] = (await findSources([formatArchiveHour(hour)], this.#options.archiveUrl)) as [Source];
    const problem = (state: 'missing' | 'failed', message: string): DownloadedHour => ({
      hour,
      problem: createOutcome(0, source.name, source.source, state, message),
    });
    let path: string | undefined;
    try {
      const limits = { ...this.#options, downloadDirectory: await this.folder(), retries: 0, attemptMs: ATTEMPT_MS };
      path = await fetchSource(source, { ...limits, signal });
      if (path === undefined) return problem('missing', NOT_ON_SERVER);
      const { mtimeMs } = await stat(path);
      if (this.#complete.get(hour) !== mtimeMs) await readToEnd(path, signal);
      this.#complete.set(hour, mtimeMs);
      return { hour };
    } catch (error) {
      if (error instanceof EventFileError && path !== undefined) await rm(path, { force: true });
      if (!(error instanceof EventFileError || error instanceof DownloadError)) throw error;
      const failed = problem('failed', error.message);
      const { retryAfterMs } = error as DownloadError;
      if (failed.problem === undefined || retryAfterMs === undefined) return failed;
      return { hour, problem: { ...failed.problem, retryAfterMs } };
    }
  }
}

const CONCURRENCY = 2;
/** The time limit of a download, which the next attempt continues. */
const ATTEMPT_MS = 15 * 60_000;
