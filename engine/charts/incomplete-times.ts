import type { Point } from './read-lines.js';
import { timeOf, unitOf } from './time-text.js';

/** An entry of `sources` of an answer: a time range, and the share of the facts that a source has in this range. */
export interface ChartSource {
  readonly type: string;
  readonly subject: string | null;
  /** The range in ISO 8601, excluding `ends`; null means no limit. */
  readonly starts: string | null;
  readonly ends: string | null;
  /** 1 for all facts, 0 for none, null if unknown. */
  readonly share: number | null;
}

/** A range in milliseconds since 1970, excluding `ends`. */
export interface TimeRange {
  readonly starts: number;
  readonly ends: number;
}

/**
 * Returns the ranges in which numbers of an answer are incomplete, sorted and without overlaps. A source that has all
 * facts of all subjects completes the other sources of the same type until its end.
 */
export function incompleteRanges(sources: readonly ChartSource[]): TimeRange[] {
  const filledUntil = new Map<string, number>();
  for (const { type, subject, share, starts, ends } of sources) {
    if (share !== 1 || subject !== null || starts !== null) continue;
    const end = ends === null ? Infinity : (timeOf(ends) ?? -Infinity);
    filledUntil.set(type, Math.max(end, filledUntil.get(type) ?? -Infinity));
  }
  for (const { type, subject, share } of sources) if (subject !== null && share !== 1) filledUntil.delete(type);
  const ranges = sources.flatMap(({ type, subject, share, starts, ends }): TimeRange[] => {
    const isException = subject !== null && starts === null && ends === null;
    if (share === 1 || isException) return [];
    const first = starts === null ? -Infinity : (timeOf(starts) ?? -Infinity);
    const end = ends === null ? Infinity : (timeOf(ends) ?? Infinity);
    const range = { starts: Math.max(first, filledUntil.get(type) ?? -Infinity), ends: end };
    return range.starts < range.ends ? [range] : [];
  });
  return mergeRanges(ranges);
}

function mergeRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const merged: TimeRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.starts - b.starts)) {
    const last = merged.at(-1);
    if (last === undefined || range.starts > last.ends) merged.push(range);
    else merged[merged.length - 1] = { starts: last.starts, ends: Math.max(last.ends, range.ends) };
  }
  return merged;
}

/** The ranges of running totals: after the first incomplete time, all totals are incomplete. */
export function rangesOfTotals([first]: readonly TimeRange[]): TimeRange[] {
  return first === undefined ? [] : [{ starts: first.starts, ends: Infinity }];
}

/**
 * Returns the indexes of the times whose data are incomplete. `times` are in ascending order. Each time represents the
 * interval until the next time; the last interval has the median length.
 */
export function incompletePlaces(ranges: readonly TimeRange[], times: readonly number[]): number[] {
  return times.flatMap((time, place) => {
    const next = times[place + 1] ?? time + Math.max(1, usualStep(times));
    return ranges.some(({ starts, ends }) => starts < next && ends > time) ? [place] : [];
  });
}

/** Returns the parts of an axis to shade: around the times whose data are incomplete. `times` are in ascending order. */
export function shadedParts(ranges: readonly TimeRange[], times: readonly number[]): TimeRange[] {
  const between = (one: number | undefined, other: number | undefined) => ((one ?? 0) + (other ?? 0)) / 2;
  return mergeRanges(
    incompletePlaces(ranges, times).map((place) => ({
      starts: place === 0 ? (times[0] ?? 0) : between(times[place - 1], times[place]),
      ends: place === times.length - 1 ? (times[place] ?? 0) : between(times[place], times[place + 1]),
    })),
  );
}

/**
 * Returns the last time if its interval has not ended at the time of the newest data, so that its value is not final. `times` are in
 * ascending order. Undefined if the interval has ended, or if the time of the newest data is unknown.
 */
export function openTime(times: readonly number[], dataAsOf: string | null): number | undefined {
  const last = times.at(-1);
  const asOf = dataAsOf === null ? Number.NaN : Date.parse(dataAsOf);
  if (last === undefined || times.length < 2 || Number.isNaN(asOf)) return undefined;
  return asOf < endOfInterval(last, times) ? last : undefined;
}

/** The length of months and years differs, so the step between such times is a number of months. */
function endOfInterval(time: number, times: readonly number[]): number {
  if (!['month', 'year'].includes(unitOf(times))) return time + usualStep(times);
  const months = times.map((one) => new Date(one)).map((one) => 12 * one.getUTCFullYear() + one.getUTCMonth());
  const start = new Date(time);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + usualStep(months));
}

/** The median of the steps between the points; 0 for one point. */
export function usualStep(times: readonly number[]): number {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}

/** The different times of lines, in ascending order. */
export function timesOf(lines: readonly { readonly points: readonly Point[] }[]): number[] {
  return [...new Set(lines.flatMap(({ points }) => points.map(([time]) => time)))].sort((a, b) => a - b);
}
