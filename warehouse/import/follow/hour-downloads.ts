import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createOwnFolder, type OwnFolder } from '../../../engine/databases/own-folder.js';
import { type ArchiveHour, formatArchiveHour, hourOfFile } from '../files/archive-hours.js';
import { DownloadError } from '../files/download.js';
import { EventFileError, readToEnd } from '../files/event-file.js';
import { findSources, type Source } from '../files/sources.js';
import type { ImportOptions } from '../import-options.js';
import { fetchSource, NOT_ON_SERVER } from '../open-source.js';
import { createOutcome, type FileOutcome } from '../summary.js';

/** An hour whose download has ended. Without a `problem`, its complete file is in the folder. */
export interface DownloadedHour {
  readonly hour: ArchiveHour;
  readonly problem?: FileOutcome;
}

export interface DownloadLimits extends Pick<ImportOptions, 'downloadDirectory' | 'archiveUrl' | 'stallMs'> {
  /** If no download ends for this many milliseconds, `fetch` returns. Default 60,000. */
  readonly patienceMs?: number;
}

/**
 * Downloads hours of the archive without the lock of imports, so that a slow download blocks no import. Only this process uses the folder.
 * An import with the folder as `downloadDirectory` finds the complete files, and deletes them afterwards.
 */
export class HourDownloads {
  readonly #options: DownloadLimits;
  readonly #stopping = new AbortController();
  #folder: Promise<OwnFolder> | undefined;
  #waiting: ArchiveHour[] = [];
  readonly #running = new Map<ArchiveHour, Promise<void>>();
  #ended: DownloadedHour[] = [];
  #failure: unknown;
  /** The times at which files were verified as complete. A complete file can wait while another import is running. */
  readonly #complete = new Map<ArchiveHour, number>();

  constructor(options: DownloadLimits) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Returns the folder of the files, and creates it on the first call. Also removes the folder of an earlier process that was killed. */
  async folder(): Promise<string> {
    this.#folder ??= this.#createFolder();
    return (await this.#folder).path;
  }

  /**
   * Downloads the hours, and yields hours as their downloads end. If no download ends for some time, it returns early, so that the caller
   * can add other hours. Downloads continue in the background.
   */
  async *fetch(hours: readonly ArchiveHour[], signal: AbortSignal): AsyncGenerator<readonly DownloadedHour[]> {
    this.#ended = this.#ended.filter(({ hour }) => hours.includes(hour));
    const isKnown = (hour: ArchiveHour) => this.#running.has(hour) || this.#ended.some((one) => one.hour === hour);
    this.#waiting = hours.filter((hour) => !isKnown(hour));
    for (let count = this.#running.size; count < CONCURRENCY; count++) this.#startNext(signal);
    for (;;) {
      if (this.#failure !== undefined) throw this.#takeFailure();
      if (this.#ended.length > 0) yield this.#ended.splice(0);
      else if (this.#running.size === 0) return;
      else if (!(await this.#waitForEnd())) return;
    }
  }

  /**
   * Deletes all files except those of these hours and of running downloads. Another process may have imported some of the deleted hours.
   */
  async keepOnly(hours: readonly ArchiveHour[]): Promise<void> {
    const kept = new Set<ArchiveHour | undefined>([...hours, ...this.#running.keys()]);
    const folder = await this.folder();
    for (const name of await readdir(folder).catch(() => [])) {
      if (!kept.has(hourOfFile(name))) await rm(join(folder, name), { force: true });
    }
    for (const hour of this.#complete.keys()) if (!kept.has(hour)) this.#complete.delete(hour);
  }

  /** Stops all downloads and removes the folder. Afterwards nothing can be downloaded. */
  async remove(): Promise<void> {
    this.#waiting = [];
    this.#stopping.abort();
    await Promise.all(this.#running.values());
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

  #startNext(signal: AbortSignal): void {
    const hour = signal.aborted ? undefined : this.#waiting.shift();
    if (hour === undefined) return;
    const running = this.#download(hour, AbortSignal.any([signal, this.#stopping.signal]))
      .then((result) => void this.#ended.push(result))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        this.#running.delete(hour);
        this.#startNext(signal);
      });
    this.#running.set(hour, running);
  }

  /** Waits until a download ends. Returns false if no download has ended within `patienceMs`. */
  async #waitForEnd(): Promise<boolean> {
    const timer = new AbortController();
    const { patienceMs = PATIENCE_MS } = this.#options;
    const patience = pause(patienceMs, false, { signal: timer.signal }).catch(() => false);
    const hasEnded = await Promise.race([patience, ...[...this.#running.values()].map((one) => one.then(() => true))]);
    timer.abort();
    return hasEnded;
  }

  #takeFailure(): unknown {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Downloads the file of an hour and reads it to its end, because only the gzip checksum proves that the file is complete. */
  async #download(hour: ArchiveHour, signal: AbortSignal): Promise<DownloadedHour> {
    const [source] = (await findSources([formatArchiveHour(hour)], this.#options.archiveUrl)) as [Source];
    const outcome = (state: 'missing' | 'failed', message: string) =>
      createOutcome(0, source.name, source.source, state, message);
    let path: string | undefined;
    try {
      const limits = { ...this.#options, downloadDirectory: await this.folder(), retries: 0, attemptMs: ATTEMPT_MS };
      path = await fetchSource(source, { ...limits, signal });
      if (path === undefined) return { hour, problem: outcome('missing', NOT_ON_SERVER) };
      const { mtimeMs } = await stat(path);
      if (this.#complete.get(hour) !== mtimeMs) await readToEnd(path, signal);
      this.#complete.set(hour, mtimeMs);
      return { hour };
    } catch (error) {
      if (error instanceof EventFileError && path !== undefined) await rm(path, { force: true });
      if (!(error instanceof EventFileError || error instanceof DownloadError)) throw error;
      const failed = outcome('failed', error.message);
      const retryAfterMs = error instanceof DownloadError ? error.retryAfterMs : undefined;
      return { hour, problem: retryAfterMs === undefined ? failed : { ...failed, retryAfterMs } };
    }
  }
}

const CONCURRENCY = 2;
const PATIENCE_MS = 60_000;
/** The time limit of one attempt of a download. The next attempt continues the download. */
const ATTEMPT_MS = 15 * 60_000;
