import { DASH } from '../language/text.js';
import { addDays, dayBefore, monthRange } from './days.js';
import { type Point, readPoint } from './points.js';
import type { DayRange, Slot } from './slot.js';

/** Finds the ranges of days and the durations in a question: `since 2024`, `from May to July 2025`, `last 28 days`. */
export function readRanges(words: readonly string[], today: string): Slot[] {
  const slots: Slot[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const found = readRange(words, at, today);
    if (found === undefined) continue;
    slots.push(found);
    at = found.end - 1;
  }
  return slots;
}

const FROM = ['since', 'from', 'starting', 'beginning', 'between'];
const STARTING = ['starting', 'beginning'];
const UNTIL = ['until', 'till', 'til', 'through', 'thru', 'before', 'to'];
const CONNECTING = [DASH, 'to', 'until', 'till', 'and', 'through', 'thru', 'til', 'up'];
const WITHIN = ['in', 'during', 'within', 'for', 'of', 'over', 'throughout', 'on', 'across'];

type RangeSlot = Slot & { readonly kind: 'range' };

function readRange(words: readonly string[], start: number, today: string): RangeSlot | undefined {
  const word = words[start] ?? '';
  const afterFrom = words[start + 1] === 'from' || words[start + 1] === 'in' || words[start + 1] === 'on';
  const at =
    word === 'up' && words[start + 1] === 'to' ? start + 2 : start + (STARTING.includes(word) && afterFrom ? 2 : 1);
  if (FROM.includes(word)) return readFrom(words, start, at, today, true);
  if (word === 'after') return readAfter(words, start, at, today);
  if (UNTIL.includes(word) || (word === 'up' && at === start + 2)) return readUntil(words, start, at, today);
  if (word === 'at') return readEnd(words, start, today);
  if (WITHIN.includes(word)) return readFrom(words, start, at, today, false);
  const point = readPoint(words, start, today);
  // A year or a month without a preposition can also be a number or another word, so it is not always accepted.
  const hasEnd = point !== undefined && readConnected(words, point.end, today) !== undefined;
  return point?.isClear === true || hasEnd || isBareYear(words, start)
    ? readFrom(words, start, start, today, false)
    : undefined;
}

function isBareYear(words: readonly string[], at: number): boolean {
  return /^20[0-3]\d$/.test(words[at] ?? '');
}

/** Reads a range from one point, or from two points joined by `to`. With `isOpen`, a single point starts an open range. */
function readFrom(
  words: readonly string[],
  start: number,
  at: number,
  today: string,
  isOpen: boolean,
): RangeSlot | undefined {
  const first = readPoint(words, at, today);
  if (first === undefined) return undefined;
  const second = readConnected(words, first.end, today);
  if (second !== undefined) {
    const range = joinPoints(first, second);
    return range === undefined ? undefined : { kind: 'range', start, end: second.end, range };
  }
  const ending = readComparison(words, first);
  const { duration, range } = first;
  const days = range.from === undefined || (duration !== undefined && ending > first.end) ? undefined : range;
  if (!isOpen || (duration !== undefined && words[start] === 'from')) {
    return { kind: 'range', start, end: ending, range: days, duration };
  }
  if (words[start] === 'since' && range.from === undefined && duration !== undefined) {
    return { kind: 'range', start, end: first.end, range: { from: addDays(dayBefore(today, duration), 1) }, duration };
  }
  if (words[start] === 'between' || range.from === undefined) return undefined;
  const end = ['on', 'onwards', 'onward'].includes(words[first.end] ?? '') ? first.end + 1 : first.end;
  return { kind: 'range', start, end, range: { from: range.from } };
}

/** Reads `to` and the second point of a range. */
function readConnected(words: readonly string[], at: number, today: string): Point | undefined {
  if (!CONNECTING.includes(words[at] ?? '')) return undefined;
  const point = readPoint(words, words[at] === 'up' && words[at + 1] === 'to' ? at + 2 : at + 1, today);
  return point?.range.to === undefined && point?.duration === undefined ? undefined : point;
}

/**
 * Returns the index after a comparison such as `this month compared to the previous month`, or after the point if there is no comparison.
 */
function readComparison(words: readonly string[], { end, duration }: Point): number {
  if (duration === undefined) return end;
  const at = words[end] === 'as' ? end + 1 : end;
  if (!['compared', 'versus', 'vs', 'against'].includes(words[at] ?? '')) return end;
  const rest = words.slice(at + 1, at + 6);
  const past = rest.findIndex((word) => ['previous', 'last', 'prior', 'past'].includes(word));
  const before = rest.indexOf('before');
  if (
    past === -1 &&
    before > 0 &&
    rest.slice(0, before).every((word) => COMPARED.includes(word) || word === duration.unit)
  ) {
    return at + before + 2;
  }
  const isFilled = rest.slice(0, past).every((word) => COMPARED.includes(word));
  const isSameUnit = rest[past + 1] === duration.unit || rest[past + 1] === `${duration.unit}s`;
  if (past === -1 || !isFilled) return end;
  return isSameUnit ? at + past + 3 : rest[past + 1] === 'one' ? at + past + 3 : end;
}

/** Words between `compared` and the second time. */
const COMPARED = ['to', 'with', 'the', 'that', 'of', 'one'];

function joinPoints(first: Point, second: Point): DayRange | undefined {
  const { from } = first.month === undefined ? first.range : withYearOf(first.month, second.range);
  const { to } = second.range;
  if (from === undefined) return undefined;
  if (to === undefined) return second.duration === undefined ? undefined : { from };
  return from > to ? undefined : { from, to };
}

/** Adds the year to a month: `March` in `March to May 2024` is in 2024, and `November` in `November to March 2024` is in 2023. */
function withYearOf(month: number, { from = '' }: DayRange): DayRange {
  const [year = 0, other = 0] = from.split('-').map(Number);
  return monthRange(month > other ? year - 1 : year, month);
}

function readAfter(words: readonly string[], start: number, at: number, today: string): RangeSlot | undefined {
  const point = readPoint(words, at, today);
  if (point?.range.to === undefined) return undefined;
  return { kind: 'range', start, end: point.end, range: { from: addDays(point.range.to, 1) } };
}

/** Reads `at the end of 2024`: the days until then. */
function readEnd(words: readonly string[], start: number, today: string): RangeSlot | undefined {
  const at = words[start + 1] === 'the' ? start + 2 : start + 1;
  const point = words[at] === 'end' ? readPoint(words, at, today) : undefined;
  return point?.range.to === undefined
    ? undefined
    : { kind: 'range', start, end: point.end, range: { to: point.range.to } };
}

function readUntil(words: readonly string[], start: number, at: number, today: string): RangeSlot | undefined {
  const point = readPoint(words, at, today);
  if (point === undefined) return undefined;
  const { from, to } = point.range;
  if (words[start] === 'before') {
    return from === undefined ? undefined : { kind: 'range', start, end: point.end, range: { to: addDays(from, -1) } };
  }
  const last = to ?? (point.duration === undefined ? undefined : today);
  // `until today` does not restrict the data.
  return last === undefined || last === today
    ? undefined
    : { kind: 'range', start, end: point.end, range: { to: last } };
}
