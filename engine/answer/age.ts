import { type Answer, finishedAt } from './answer.js';

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
export function ageOf(answer: Answer, now: Date): Age {
  const { dataAsOf, staleAfterMs, endpoint } = answer;
  const computedAt = answer.computedAt === undefined ? finishedAt(answer) : answer.computedAt;
  return {
    dataAsOf: dataAsOf === undefined ? null : isoTime(dataAsOf),
    computedAt: computedAt === null ? null : isoTime(computedAt),
    ageMs: dataAsOf === undefined ? null : Math.max(0, now.getTime() - dataAsOf.getTime()),
    stale:
      dataAsOf === undefined ||
      isOld(dataAsOf, staleAfterMs, now) ||
      isOld(computedAt, endpoint.definition.staleAfterMs, now),
  };
}

/** A time that is not known counts as long ago. */
function isOld(time: Date | null, staleAfterMs: number | undefined, now: Date): boolean {
  if (staleAfterMs === undefined) return false;
  return time === null || now.getTime() - time.getTime() > staleAfterMs;
}

/** Whole seconds lose nothing that the data know: `2024-05-01T12:00:00Z`, or with milliseconds where there are some. */
function isoTime(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
