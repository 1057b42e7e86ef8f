import type { DataVersion, VersionState } from '../../../databases/interface/data-versions.js';
import type { ServedAnswer, StoredAnswer } from '../stored-answer.js';
import type { Entry } from '../stores/entry.js';
import { hasVersions } from './version-watch.js';

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
