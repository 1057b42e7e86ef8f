import type { Answer } from '../../engine/index.js';

/** How old an answer is. Times are ISO 8601, UTC. */
export interface Age {
  /** The time of the newest fact behind the answer; null when it is not known. */
  readonly dataAsOf: string | null;
  /** When what it was read from had been computed; null when that is not known. */
  readonly computedAt: string | null;
  /** Milliseconds since `dataAsOf`; null when it is not known. */
  readonly ageMs: number | null;
  /** Older than it may be, by either time. An age that is not known counts as stale. */
  readonly stale: boolean;
}

/** `now` is the time of sending, by which the age is told. */
export function ageOf({ dataAsOf, staleAfterMs, endpoint, ...answer }: Answer, now: Date): Age {
  const computedAt = answer.computedAt === undefined ? answer.finishedAt : answer.computedAt;
  const ageMs = msSince(dataAsOf, now);
  return {
    dataAsOf: dataAsOf === undefined ? null : isoTime(dataAsOf),
    computedAt: computedAt === null ? null : isoTime(computedAt),
    ageMs,
    stale:
      ageMs === null || isOld(ageMs, staleAfterMs) || isOld(msSince(computedAt, now), endpoint.definition.staleAfterMs),
  };
}

/** An age that is not known counts as a great one. */
function isOld(age: number | null, staleAfterMs: number | undefined): boolean {
  return staleAfterMs !== undefined && (age === null || age > staleAfterMs);
}

/** Null where the time is not known, or so far ahead that the clock must be wrong, and tells no age. */
function msSince(time: Date | null | undefined, now: Date): number | null {
  if (time === null || time === undefined) return null;
  const ms = now.getTime() - time.getTime();
  return ms < -CLOCKS_APART_MS ? null : Math.max(0, ms);
}

/** Whole hours of data may be there before the clock says that they are over. */
const CLOCKS_APART_MS = 3_600_000;

/** Whole seconds lose nothing that the data know: `2024-05-01T12:00:00Z`, or with milliseconds where there are some. */
function isoTime(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
