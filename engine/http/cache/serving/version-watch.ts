import { LRUCache } from 'lru-cache';
import type { DataVersion, DataVersions, VersionState } from '../../../databases/interface/data-versions.js';
import { limitSignal } from '../../../databases/interface/deadline.js';
import type { ServedAnswer, StoredAnswer } from '../stored-answer.js';
import type { Entry } from '../stores/memory-answers.js';

export interface ConfirmOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** Observes the versions of the tables for the cache. It also knows when versions ended, and whether versions can be read. */
export class VersionWatch {
  readonly #versions: DataVersions;
  /** The times at which versions of tables ended. The key contains the table, because all tables of a commit have the same version. */
  readonly #ended = new LRUCache<string, number>({ max: MAX_ENDED });
  #last: VersionState | undefined;
  /** The time since when the versions cannot be read, on the monotonic clock; undefined while they can be read. */
  #awaySince: number | undefined;
  /** The last known state before the versions could not be read. */
  #beforeAway: VersionState | undefined;
  #probedAt = -Infinity;
  readonly #stop: () => void;

  constructor(versions: DataVersions, onChange: (tables: ReadonlySet<string>) => void) {
    this.#versions = versions;
    this.#last = versions.known;
    this.#stop = versions.onChange((tables) => {
      this.#note(versions.known);
      onChange(tables);
    });
  }

  /** Returns the versions if they may be used for answers without a new check. */
  recent(): VersionState | undefined {
    const state = this.#versions.recent();
    // A new state means that a later read, for example by the poll timer, has succeeded.
    if (state !== undefined && state !== this.#beforeAway) this.#awaySince = undefined;
    if (state !== this.#last) this.#note(state);
    return state;
  }

  /**
   * Whether the database is probably unavailable, because the versions cannot be read. After some time, the result is
   * false again, because a database may run queries although it returns no versions.
   */
  get isAway(): boolean {
    return this.#awaySince !== undefined && performance.now() - this.#awaySince < MAX_AWAY_MS;
  }

  /** The newest known versions, which can be outdated. */
  get known(): VersionState | undefined {
    return this.#versions.known;
  }

  /**
   * Reads the versions. Returns undefined if the database does not return them in time. After a failure, returns
   * undefined immediately until the database returns versions again, so that requests do not wait.
   */
  async confirm({ signal, timeoutMs }: ConfirmOptions): Promise<VersionState | undefined> {
    this.recent();
    if (this.#awaySince !== undefined) {
      this.#probe();
      return undefined;
    }
    const limited = limitSignal(signal === undefined ? [] : [signal], timeoutMs);
    try {
      const state = await this.#versions.confirm(limited.signal);
      this.#note(state);
      return state;
    } catch {
      // If the request had almost no time left, its failure does not mean that the database is unavailable.
      const hadTime = timeoutMs >= CONFIRM_MS || !limited.signal.aborted;
      if (signal?.aborted !== true && hadTime) this.#setAway();
      return undefined;
    } finally {
      limited.end();
    }
  }

  /**
   * Returns when the first version of an answer ended, in milliseconds since 1970. The result is never later than the
   * change that ended it. Undefined if it is unknown.
   */
  endOf({ versions }: StoredAnswer, tables: ReadonlyMap<string, DataVersion>): number | undefined {
    let end = Infinity;
    for (const [table, version] of versions) {
      if (tables.get(table) === version) continue;
      const ended = this.#ended.get(keyOf(table, version));
      if (ended === undefined) return undefined;
      end = Math.min(end, ended);
    }
    return end;
  }

  /**
   * Returns when an outdated answer was last known to be exact, in milliseconds since 1970: when its versions were last
   * confirmed, but not after they ended.
   */
  lastExactAt(answer: StoredAnswer): number {
    const { version, computedAt, validUntil, staleFrom } = answer;
    const { known } = this;
    const end = known && this.endOf(answer, known.tables);
    if (version === undefined || known === undefined || end === undefined) return computedAt;
    return Math.max(computedAt, Math.min(known.confirmedAt, end, validUntil, staleFrom));
  }

  close(): void {
    this.#stop();
  }

  #setAway(): void {
    this.#awaySince ??= performance.now();
    this.#beforeAway = this.#versions.known;
  }

  /** Tries to read the versions in the background, at most once per interval. */
  #probe(): void {
    const now = performance.now();
    if (now < this.#probedAt + PROBE_MS) return;
    this.#probedAt = now;
    this.#versions.confirm().then(
      () => {
        this.#awaySince = undefined;
      },
      () => undefined,
    );
  }

  #note(state: VersionState | undefined): void {
    const last = this.#last;
    if (state === undefined) return;
    this.#last = state;
    if (last === undefined || last.tables === state.tables) return;
    // The exact time of the change is unknown. The version was current at least until its last confirmation.
    for (const [table, version] of last.tables) {
      if (state.tables.get(table) !== version) this.#ended.set(keyOf(table, version), last.confirmedAt);
    }
  }
}

function keyOf(table: string, version: DataVersion): string {
  return `${table} ${version}`;
}

/** Whether the tables still have the versions of an answer. */
export function hasVersions({ versions }: StoredAnswer, tables: ReadonlyMap<string, DataVersion>): boolean {
  for (const [table, version] of versions) if (tables.get(table) !== version) return false;
  return true;
}

/** The time limit for reading the versions. */
export const CONFIRM_MS = 1_000;
const PROBE_MS = 250;
const MAX_AWAY_MS = 600_000;
/** The maximum number of former versions whose end is remembered. */
const MAX_ENDED = 10_000;

type Versions = ReadonlyMap<string, DataVersion>;

/** Whether the answer of an entry is exact for these versions at this time. `tables` is undefined if the versions are unknown. */
export function isUsableEntry(entry: Entry, tables: Versions | undefined, now: number): boolean {
  const { answer } = entry;
  if (!isInTime(answer, now)) return false;
  if (answer.versions.size === 0) return true;
  if (tables === undefined) return false;
  if (entry.checked !== tables) {
    entry.checked = tables;
    entry.isCurrent = hasVersions(answer, tables);
  }
  return entry.isCurrent;
}

/** Like `isUsableEntry`, for an answer that is not in memory. */
export function isUsable(answer: StoredAnswer, tables: Versions | undefined, now: number): boolean {
  if (!isInTime(answer, now)) return false;
  return answer.versions.size === 0 || (tables !== undefined && hasVersions(answer, tables));
}

/**
 * Returns when an answer was last known to be exact: when its versions were last confirmed. An answer with a fixed
 * lifetime also depends on tables without versions, so it was exact only when it was computed.
 */
export function confirmedAtOf({ version, computedAt }: StoredAnswer, state: VersionState | undefined): number {
  return version === undefined || state === undefined ? computedAt : Math.max(computedAt, state.confirmedAt);
}

/** Returns a usable answer as a cache hit. */
export function hitOf(answer: StoredAnswer, level: 1 | 2, confirmedAt: number): ServedAnswer {
  return { answer, outcome: { kind: 'hit', level }, confirmedAt, queryMs: undefined };
}

/**
 * Whether `now` is before the end of the answer (`validUntil`) and before its data become stale. `now` must also be after the computation:
 * otherwise the clock was set back, or a machine with another clock computed the answer, and these times have no meaning.
 */
function isInTime({ validUntil, staleFrom, computedAt }: StoredAnswer, now: number): boolean {
  const end = Math.min(validUntil, staleFrom);
  return now < end && (end === Number.POSITIVE_INFINITY || now >= computedAt);
}
