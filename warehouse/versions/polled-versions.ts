import type { DataVersions, VersionState } from '../../engine/index.js';
import { untilAborted } from './embedded-versions.js';
import { changedTables, VersionListeners } from './version-listeners.js';

export interface PolledVersionsOptions {
  /** Reads the current versions of all tables within a time limit in milliseconds. */
  readonly read: (timeoutMs: number) => Promise<VersionState['tables']>;
  /** The interval between two reads in milliseconds, while requests arrive. */
  readonly pollMs: number;
  /**
   * Called with a message for the operator: once if the database has no versions or the account cannot read them, and each time a listener
   * fails.
   */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * The versions of tables that other processes also change, such as those on a server. The versions are polled with one read for all tables
 * and requests, and only while requests arrive.
 */
export class PolledVersions implements DataVersions {
  readonly #options: PolledVersionsOptions;
  readonly #listeners: VersionListeners;
  #known: VersionState | undefined;
  /** The time at which the last successful read began, by the stopwatch. */
  #confirmed = Number.NEGATIVE_INFINITY;
  /** The time at which the state was last requested. */
  #requested = Number.NEGATIVE_INFINITY;
  #running: Promise<VersionState> | undefined;
  #next: Promise<VersionState> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasNotified = false;
  #isClosed = false;

  constructor(options: PolledVersionsOptions) {
    this.#options = options;
    this.#listeners = new VersionListeners(options.onNotice);
  }

  get known(): VersionState | undefined {
    return this.#known;
  }

  recent(): VersionState | undefined {
    this.#requested = performance.now();
    if (this.#requested - this.#confirmed < this.#options.pollMs + GRACE_MS) return this.#known;
    // This is the first request after an idle time. If the caller now calls `confirm`, the read for `confirm` replaces the scheduled read.
    if (this.#running === undefined && this.#timer === undefined) this.#schedule(0);
    return undefined;
  }

  confirm(signal?: AbortSignal): Promise<VersionState> {
    this.#requested = performance.now();
    return untilAborted(this.#readNext(), signal);
  }

  onChange(listener: (tables: ReadonlySet<string>) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Schedules a read of the versions, because a commit of this process has changed them. Does nothing without requests and listeners. */
  expectChange(): void {
    if (!this.#isClosed && (this.#isRequested() || this.#listeners.size > 0)) this.#readUnobserved();
  }

  /** Stops polling. A read in progress ends when the database is closed. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Returns the versions from a read that begins after this call. A read in progress may have begun before the last commit. */
  #readNext(): Promise<VersionState> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#start();
    const next = () => {
      this.#next = undefined;
      return this.#start();
    };
    this.#next = this.#running.then(next, next);
    return this.#next;
  }

  #start(): Promise<VersionState> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const began = performance.now();
    this.#running = this.#read(began).finally(() => {
      this.#running = undefined;
      this.#schedule(this.#options.pollMs - (performance.now() - began));
    });
    return this.#running;
  }

  async #read(began: number): Promise<VersionState> {
    const confirmedAt = Date.now();
    const { read, pollMs } = this.#options;
    try {
      const tables = await read(Math.max(MIN_READ_MS, pollMs));
      const before = this.#known?.tables;
      const changed = changedTables(before ?? new Map(), tables);
      this.#known = { tables: before !== undefined && changed.size === 0 ? before : tables, confirmedAt };
      this.#confirmed = began;
      if (before !== undefined) this.#listeners.report(changed);
      return this.#known;
    } catch (error) {
      this.#notify(error);
      throw error;
    }
  }

  #schedule(waitMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const poll = () => {
      this.#timer = undefined;
      if (this.#isRequested()) this.#readUnobserved();
    };
    this.#timer = setTimeout(poll, Math.max(0, waitMs)).unref();
  }

  #isRequested(): boolean {
    return performance.now() - this.#requested < 2 * this.#options.pollMs;
  }

  /**
   * Reads the versions and ignores a failure: the state is unchanged, and when it is too old, `recent` returns undefined and `confirm`
   * reports the error.
   */
  #readUnobserved(): void {
    this.#readNext().catch(() => undefined);
  }

  #notify(error: unknown): void {
    const { cause } = error as { readonly cause?: unknown };
    const { errno, message } = (cause ?? {}) as { readonly errno?: unknown; readonly message?: string };
    if (this.#hasNotified || !NO_TABLE.has(Number(errno))) return;
    this.#hasNotified = true;
    this.#options.onNotice?.(`The versions of the tables cannot be read, so answers cannot be stored: ${message}`);
  }
}

/** The time by which a read may end later than the poll interval before requests have to wait for it. */
const GRACE_MS = 250;
const MIN_READ_MS = 1_000;

/** The server's error numbers for a table that does not exist or that the account cannot read. */
const NO_TABLE: ReadonlySet<number> = new Set([1146, 1142]);
