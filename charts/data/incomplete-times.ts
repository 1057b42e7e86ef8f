import { type TimeUnit, timeOf } from '../text/time-text.js';

/** An entry of `sources` of an answer: a range in which a source has only a part of the facts, or has them all. */
export interface ChartSource {
  readonly type: string;
  readonly subject: string | null;
  /** ISO 8601, without `ends`; null: without a limit. */
  readonly starts: string | null;
  readonly ends: string | null;
  /** 1 all, 0 none, null unknown. */
  readonly share: number | null;
}

/** Milliseconds since 1970, without `ends`. */
export interface TimeRange {
  readonly starts: number;
  readonly ends: number;
}

/**
 * Returns the ranges in which numbers of an answer are not complete, in their order, without overlaps. A complete source fills the ranges
 * of the others of its type, unless it does not have every subject.
 */
export function incompleteRanges(sources: readonly ChartSource[]): TimeRange[] {
  const filledUntil = new Map<string, number>();
  for (const { type, subject, share, ends } of sources) {
    if (share === 1 && subject === null) filledUntil.set(type, endOf(ends));
  }
  for (const { type, subject, share } of sources) if (share === null && subject !== null) filledUntil.delete(type);
  const ranges = sources.flatMap(({ type, subject, share, starts, ends }): TimeRange[] => {
    if (subject !== null || share === 1) return [];
    const first = starts === null ? -Infinity : (timeOf(starts) ?? -Infinity);
    const range = { starts: Math.max(first, filledUntil.get(type) ?? -Infinity), ends: endOf(ends) };
    return range.starts < range.ends ? [range] : [];
  });
  return mergeRanges(ranges);
}

function endOf(ends: string | null): number {
  return ends === null ? Infinity : (timeOf(ends) ?? Infinity);
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

/** Whether the year, month, day or minute that begins at `time` is partly in one of the ranges. */
export function isIncomplete(ranges: readonly TimeRange[], time: number, unit: TimeUnit): boolean {
  const next = nextUnit(time, unit);
  return ranges.some(({ starts, ends }) => starts < next && ends > time);
}

/**
 * Returns the parts of an axis from `first` to `last` that are shaded. A point is the value of the whole year,
 * month or day that begins at it, so the shade of this time is around the point.
 */
export function shadedParts(ranges: readonly TimeRange[], first: number, last: number, unit: TimeUnit): TimeRange[] {
  const parts = ranges.flatMap(({ starts, ends }) => {
    if (ends <= first || starts >= nextUnit(last, unit)) return [];
    const start = startOfUnit(Math.max(starts, first), unit);
    const lastUnit = startOfUnit(Math.min(ends, nextUnit(last, unit)) - 1, unit);
    const half = (nextUnit(start, unit) - start) / 2;
    return [{ starts: Math.max(first, start - half), ends: Math.min(last, nextUnit(lastUnit, unit) - half) }];
  });
  return mergeRanges(parts.filter(({ starts, ends }) => starts < ends));
}

const MINUTE_MS = 60_000;

function startOfUnit(time: number, unit: TimeUnit): number {
  if (unit === 'minute') return time - (time % MINUTE_MS);
  const date = new Date(time);
  const month = unit === 'year' ? 0 : date.getUTCMonth();
  return Date.UTC(date.getUTCFullYear(), month, unit === 'day' ? date.getUTCDate() : 1);
}

function nextUnit(time: number, unit: TimeUnit): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'minute') return time + MINUTE_MS;
  if (unit === 'day') return Date.UTC(year, month, day + 1);
  return unit === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year + 1, 0);
}
