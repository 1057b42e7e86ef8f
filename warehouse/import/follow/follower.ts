import { createHash } from 'node:crypto';
import { Mutex } from '../../../engine/databases/mutex.js';
import { refreshAfterImport } from '../../derived/refresh-as-of.js';
import { type ArchiveHour, formatArchiveHour } from '../files/archive-hours.js';
import { ImportRunningError, importSources } from '../import-sources.js';
import type { FileOutcome } from '../summary.js';
import { DownloadClaim, DownloadRunningError } from './download-claim.js';
import type { FollowEvent, FollowOptions, FollowSummary } from './follow-options.js';
import { ERROR, STANDBY, untilNextHour, waitAtMost } from './follow-pauses.js';
import {
  coverageOf,
  endedHours,
  type FollowProgress,
  type FollowState,
  type ImportedHours,
  missingHours,
} from './follow-progress.js';
import { endArchiveHour, FollowStartError, readImportedHours, startFollowing } from './followed-hours.js';
import { type DownloadedHour, HourDownloads } from './hour-downloads.js';
import { jittered, RetrySchedule } from './retry-schedule.js';

/**
 * Imports each hour of the archive when it is published, oldest first. Downloads hours without the lock of imports, and then imports a few
 * hours at a time with it. Followers in other processes skip hours that are already imported, so every event is stored exactly once.
 */
export class Follower {
  readonly #options: FollowOptions;
  readonly #schedule: RetrySchedule;
  readonly #downloads: HourDownloads;
  readonly #claim: DownloadClaim;
  #from: ArchiveHour | undefined;
  #imported: ImportedHours = NO_HOURS;
  #state: FollowState = 'starting';
  #importedHours = 0;
  #events = 0;
  #problem: string | undefined;
  #problems = 0;
  #nextAttemptAt: Date | undefined;
  /**
   * The number of events since the last refresh of the trends. Undefined before the first refresh, because an earlier process may have
   * ended without its refresh.
   */
  #unrefreshed: number | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#schedule = new RetrySchedule(options.pauseScale);
    const { store, archive } = options;
    // The name of a lock has at most 64 characters.
    const work = archive?.isFirst === false ? `download ${digestOf(archive.archive)}` : undefined;
    this.#claim = new DownloadClaim(store, undefined, work);
    this.#downloads = new HourDownloads({ ...options.importing, patienceMs: MINUTE_MS * (options.pauseScale ?? 1) });
  }

  progress(): FollowProgress {
    const from = this.#from;
    const coverage = from === undefined ? UNKNOWN : coverageOf(from, this.#imported, this.#options.clock());
    const [, failure] = this.#schedule.withReason('failed').at(-1) ?? [];
    return {
      state: this.#state,
      ...coverage,
      importedHours: this.#importedHours,
      lastError: this.#problem ?? failure ?? null,
      nextAttemptAt: this.#nextAttemptAt?.toISOString() ?? null,
    };
  }

  /** Finds the first hour. Throws `FollowStartError` if the archive cannot be followed. After any other error, `run` tries again. */
  async prepare(): Promise<void> {
    const { store, clock, from } = this.#options;
    this.#from ??= await startFollowing(store, from, clock());
  }

  /** Follows until the signal aborts. Retries after errors: only throws `FollowStartError`, or with `once` every error. */
  async run(signal: AbortSignal): Promise<FollowSummary> {
    try {
      while (!signal.aborted) {
        const pauseMs = await this.#attempt(signal);
        if (pauseMs === undefined) break;
        await this.#wait(pauseMs, signal);
      }
    } finally {
      this.#state = 'stopped';
      this.#nextAttemptAt = undefined;
      this.#options.onChange?.();
      await this.#downloads.remove().finally(() => this.#claim.release());
    }
    return this.#summarize();
  }

  /** Returns the summary. Reads the imported hours again, because other followers may have imported some. */
  async summary(): Promise<FollowSummary> {
    if (this.#from !== undefined) await this.#readHours(this.#from);
    return this.#summarize();
  }

  #summarize(): FollowSummary {
    const gaps = this.#schedule.withReason('gap').filter(([hour]) => !this.#imported.hours.has(hour));
    const failed = this.#schedule.withReason('failed');
    return {
      ...this.progress(),
      events: this.#events,
      gaps: gaps.map(([hour]) => formatArchiveHour(hour)),
      failed: failed.map(([hour, message]) => ({ hour: formatArchiveHour(hour), message })),
    };
  }

  /** Runs one round. Returns the milliseconds until the next round; undefined if it was the last round. */
  async #attempt(signal: AbortSignal): Promise<number | undefined> {
    const { once = false, pauseScale = 1 } = this.#options;
    try {
      await this.#round(signal);
      this.#problem = undefined;
      this.#problems = 0;
      if (!this.#downloads.isRunning)
        this.#state = this.#schedule.withReason('failed').length > 0 ? 'failing' : 'waiting';
      return this.#pauseMs();
    } catch (error) {
      if (signal.aborted) return undefined;
      const message = messageOf(error);
      const isNew = this.#problem !== message;
      const isStandby = error instanceof ImportRunningError || error instanceof DownloadRunningError;
      this.#problem = message;
      this.#state = isStandby ? 'standby' : 'failing';
      if (error instanceof FollowStartError || (once && !isStandby)) throw error;
      if (isNew) this.#report({ kind: isStandby ? 'standby' : 'error', message });
      return jittered(isStandby ? STANDBY : ERROR, this.#problems++) * pauseScale;
    } finally {
      if (!this.#downloads.isRunning) await this.#claim.release();
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    await this.prepare();
    // Runs even if no hour is missing, because it removes the files of a killed process.
    await this.#downloads.folder();
    const from = this.#from as ArchiveHour;
    let due = await this.#readDue(from);
    if (due[0] !== undefined) {
      await this.#claim.take(due[0]);
      // Another follower may have imported these hours before this follower acquired the claim.
      due = await this.#readDue(from);
    }
    const hours = due.slice(0, HOURS_PER_ROUND);
    if (hours.length > 0) {
      this.#state = 'importing';
      this.#nextAttemptAt = undefined;
      this.#options.onChange?.();
      // Even if every hour fails, the disk only needs space for these files.
      const failed = this.#schedule.withReason('failed').map(([hour]) => hour);
      await this.#downloads.keepOnly([...hours, ...failed.slice(0, HOURS_PER_ROUND)]);
      await this.#importHours(from, hours, signal);
      signal.throwIfAborted();
    }
    await this.#refresh(due.length > hours.length);
  }

  /** Imports hours when their downloads end. Slow downloads continue in the next round. Only the imports hold the lock of imports. */
  async #importHours(from: ArchiveHour, hours: readonly ArchiveHour[], signal: AbortSignal): Promise<void> {
    const notPublished: DownloadedHour[] = [];
    try {
      for await (const ended of this.#downloads.fetch(hours, signal)) {
        for (const one of ended) {
          if (one.problem?.state === 'missing') notPublished.push(one);
          else if (one.problem !== undefined) await this.#record(one.hour, one.problem);
        }
        const complete = ended.flatMap(({ hour, problem }) => (problem === undefined ? [hour] : []));
        if (complete.length > 0)
          await this.#import(
            from,
            complete.sort((a, b) => a - b),
            signal,
          );
      }
    } finally {
      // Hours that were not published are recorded last, because only now it is known whether the archive has later hours.
      for (const { hour, problem } of notPublished) if (problem !== undefined) await this.#record(hour, problem);
    }
  }

  async #import(from: ArchiveHour, hours: readonly ArchiveHour[], signal: AbortSignal): Promise<void> {
    const { store, clock, importing, imports = new Mutex() } = this.#options;
    const words = hours.map(formatArchiveHour);
    const downloadDirectory = await this.#downloads.folder();
    const { files } = await imports.run(() =>
      importSources(store, words, {
        ...importing,
        ...{ archiveHours: true, concurrency: 2, retries: 0 },
        downloadDirectory,
        now: clock(),
        signal,
      }),
    );
    await this.#readHours(from);
    // An import that was aborted by the signal has not failed.
    const ended = files.filter(({ state }) => state === 'imported' || !signal.aborted);
    for (const outcome of ended) await this.#record(hours[outcome.file] as ArchiveHour, outcome);
    this.#options.onChange?.();
  }

  async #readDue(from: ArchiveHour): Promise<ArchiveHour[]> {
    await this.#readHours(from);
    return this.#schedule.due(missingHours(from, this.#imported.ended, this.#options.clock()), performance.now());
  }

  async #readHours(from: ArchiveHour): Promise<void> {
    // Reads with write access, because the database for reading may be a replica without the newest hours.
    const { store, archive } = this.#options;
    this.#imported = await store.write((tables) =>
      readImportedHours((sql, values) => tables.rows(sql, values), from, archive),
    );
    for (const hour of this.#imported.ended) this.#schedule.forget(hour);
  }

  async #record(hour: ArchiveHour, { state, message, events, alreadyThere, retryAfterMs }: FileOutcome): Promise<void> {
    const { hours, ended, newestOwn } = this.#imported;
    const name = formatArchiveHour(hour);
    if (state === 'imported') {
      const added = events - alreadyThere;
      this.#importedHours += 1;
      this.#events += added;
      this.#unrefreshed = (this.#unrefreshed ?? 0) + added;
      this.#report({ kind: 'imported', hour: name, events: added });
    }
    if (ended.has(hour)) return;
    if (this.#hasNothingMore(hour, state)) return await this.#end(hour);
    const nowMs = performance.now();
    if (state === 'missing') {
      const isGap = newestOwn !== null && newestOwn > hour;
      const isNew = this.#schedule.postpone(hour, isGap ? 'gap' : 'unpublished', nowMs);
      if (isGap && isNew && !hours.has(hour)) this.#report({ kind: 'gap', hour: name });
      return;
    }
    const why = message ?? 'The hour is not in the ledger of imports.';
    const isNew = this.#schedule.postpone(hour, 'failed', nowMs, why, retryAfterMs);
    if (isNew) this.#report({ kind: 'failed', hour: name, message: why });
  }

  /**
   * Whether an hour need not be requested again: the archive has the same file as another archive, or an additional archive still does not
   * have an old hour.
   */
  #hasNothingMore(hour: ArchiveHour, state: FileOutcome['state']): boolean {
    const { archive, clock } = this.#options;
    if (archive === undefined || archive.others.length === 0) return false;
    return state === 'skipped' || (state === 'missing' && !archive.isFirst && hour < endedHours(clock()) - LATE_HOURS);
  }

  async #end(hour: ArchiveHour): Promise<void> {
    const { store, archive } = this.#options;
    if (archive === undefined) return;
    await endArchiveHour(store, archive.archive, hour);
    this.#schedule.forget(hour);
    this.#imported = { ...this.#imported, ended: new Set([...this.#imported.ended, hour]) };
  }

  /** Computes the trends if no more hours are due, and otherwise only at intervals, because it may take half a minute. */
  async #refresh(hasMore: boolean): Promise<void> {
    const { store, clock } = this.#options;
    const isOwed = this.#unrefreshed !== 0;
    if (!isOwed || (hasMore && performance.now() - this.#refreshedMs < REFRESH_MS)) return;
    await refreshAfterImport(store, this.#unrefreshed ?? 0, clock());
    this.#unrefreshed = 0;
    this.#refreshedMs = performance.now();
  }

  /** Returns the milliseconds until an hour ends or can be requested again. Undefined if the follower ends, because of `once`. */
  #pauseMs(): number | undefined {
    const { clock, once = false, pauseScale = 1 } = this.#options;
    const now = clock();
    const missing = this.#from === undefined ? [] : missingHours(this.#from, this.#imported.ended, now);
    const retryMs = this.#schedule.pauseMs(missing, performance.now());
    if (once) return retryMs > 0 ? undefined : 0;
    return Math.min(retryMs, untilNextHour(now, pauseScale));
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#downloads.isRunning) this.#nextAttemptAt = new Date(this.#options.clock().getTime() + Math.round(ms));
    this.#options.onChange?.();
    await waitAtMost(ms, signal);
  }

  #report(event: FollowEvent): void {
    this.#options.onEvent?.(event);
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function messageOf(error: unknown): string {
  if (!(error instanceof ImportRunningError)) return (error as Error).message;
  return `Another import is running on this database, in ${error.holder}. This one continues after it.`;
}

const NO_HOURS = {
  hours: new Set<ArchiveHour>(),
  newest: null,
  ended: new Set<ArchiveHour>(),
  newestOwn: null,
  lastImportedAt: null,
};
const UNKNOWN = { from: null, newestHour: null, lagMs: null, missingHours: null, lastImportedAt: null };

const MINUTE_MS = 60_000;
/** The maximum number of hours in one round. After each round, newer hours are also considered. */
const HOURS_PER_ROUND = 6;
const REFRESH_MS = 10 * MINUTE_MS;
/** If an additional archive does not have an hour after this time, the hour is not requested again. */
const LATE_HOURS = 72;
