import { LRUCache } from 'lru-cache';
import type { DataVersion, DataVersions, VersionState } from '../../../databases/interface/data-versions.js';
import { limitSignal } from '../../../databases/interface/limited-signal.js';
import type { StoredAnswer } from '../stored-answer.js';

export interface ConfirmOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** The versions of the tables as the cache needs them: also when versions ended, and whether they can be read. */
export class VersionWatch {
  readonly #versions: DataVersions;
  /** When versions of tables ended. One commit gives all its tables the same version, so the key contains the table. */
  readonly #ended = new LRUCache<string, number>({ max: MAX_ENDED });
  #last: VersionState | undefined;
  /** Since when the versions cannot be read, as a value of the stopwatch; undefined while they can. */
  #awaySince: number | undefined;
  /** The state that was known when the versions could not be read. */
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

  /** The versions if they may be used for answers without a new check. */
  recent(): VersionState | undefined {
    const state = this.#versions.recent();
    // A later read, for example by the timer of the versions, succeeded.
    if (state !== undefined && state !== this.#beforeAway) this.#awaySince = undefined;
    if (state !== this.#last) this.#note(state);
    return state;
  }

  /**
   * Whether the versions cannot be read, and so probably nothing else. After a while this is not assumed any longer: a
   * database can also be able to run queries and have no versions.
   */
  get isAway(): boolean {
    return this.#awaySince !== undefined && performance.now() - this.#awaySince < MAX_AWAY_MS;
  }

  /** The newest known versions, which can be outdated. */
  get known(): VersionState | undefined {
    return this.#versions.known;
  }

  /**
   * Reads the versions. Undefined if the database does not return them in time. After a failure, no request waits until the
   * database returns them again.
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
      // A request that has almost no time left says nothing about the database.
      const hadTime = timeoutMs >= CONFIRM_MS || !limited.signal.aborted;
      if (signal?.aborted !== true && hadTime) this.#setAway();
      return undefined;
    } finally {
      limited.end();
    }
  }

  /**
   * Returns when the versions of an answer ended, in milliseconds since 1970: the time of the first change after them. It is
   * never later than the change. Undefined if it is unknown.
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
   * Returns when an answer that is no longer exact was last known to be exact, in milliseconds since 1970: when its versions
   * were last confirmed, but not after its end.
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
    // The version was last known to be current at the last confirmation.
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

/** The time limit of a read of the versions. */
export const CONFIRM_MS = 1_000;
const PROBE_MS = 250;
const MAX_AWAY_MS = 600_000;
/** The number of former versions whose ends are known. */
const MAX_ENDED = 10_000;
