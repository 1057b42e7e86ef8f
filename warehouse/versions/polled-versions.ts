import type { Database, DataVersions, VersionState } from '../../engine/index.js';
import { untilAborted } from './until-aborted.js';
import { changedTables, VersionListeners } from './version-listeners.js';
import { readVersions } from './version-table.js';

export interface PolledVersionsOptions {
  readonly database: Database;
  /** The time between two reads while requests come, in milliseconds. */
  readonly pollMs: number;
  /**
   * Receives a message for the operator, once, if the database has no versions or the account cannot read them, and each time
   * a listener fails.
   */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * The versions of a database on a server, which other processes also change. It reads all of them with one query for all requests,
 * and only while requests come.
 */
export class PolledVersions implements DataVersions {
  readonly #options: PolledVersionsOptions;
  readonly #listeners: VersionListeners;
  #known: VersionState | undefined;
  /** When the last successful read began, as a value of the stopwatch. */
  #confirmed = Number.NEGATIVE_INFINITY;
  /** When the state was last requested. */
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
    // The first request after an idle time. If the caller now calls `confirm`, its read replaces the scheduled one.
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

  /** Reads the versions soon, because a commit of this process has changed them. Does nothing if no request or listener uses them. */
  expectChange(): void {
    if (!this.#isClosed && (this.#isRequested() || this.#listeners.size > 0)) this.#readUnobserved();
  }

  /** Ends the reads. A read in progress ends with the database. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Returns the result of a read that begins after this call. A read in progress may have begun before the last commit. */
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
    const { database, pollMs } = this.#options;
    try {
      const tables = await readVersions(database, Math.max(MIN_READ_MS, pollMs));
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

  /** A failed read leaves the state as it is. When it is too old, `recent` returns nothing, and `confirm` reports the error. */
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

/** How much later than the poll interval a read may end, without that requests have to wait for it. */
const GRACE_MS = 250;
const MIN_READ_MS = 1_000;

/** The error numbers of a server for a table that does not exist or that the account cannot read. */
const NO_TABLE: ReadonlySet<number> = new Set([1146, 1142]);
