import { addDays, calendarRange, dayBefore, isDay, monthRange, yearRange } from './days.js';
import type { DayRange, Duration, TimeUnit } from './slot.js';

/** A time in a question: a day, or all days of a month, year, … */
export interface Point {
  /** The index after the last word of the time. */
  readonly end: number;
  readonly range: Required<DayRange> | DayRange;
  readonly duration?: Duration;
  /** Set if the year is missing: a later part of the question can contain it. */
  readonly month?: number;
  /** Whether the words mean a time even without a preposition. */
  readonly isClear: boolean;
}

/** Reads a time at a word: `2025-03-01`, `March 2025`, `Q1 2025`, `last month`, `past 3 weeks`, … */
export function readPoint(words: readonly string[], start: number, today: string): Point | undefined {
  const at = skipUnit(words, words[start] === 'the' ? start + 1 : start);
  if (words[at] === 'ytd' || words.slice(at, at + 3).join(' ') === 'year to date') {
    return { ...relativeUnit('this', 'year', words[at] === 'ytd' ? at + 1 : at + 3, today), isClear: true };
  }
  return (
    readEdge(words, at, today) ??
    readDigits(words, at) ??
    readPartOfYear(words, at) ??
    readMonth(words, at, today) ??
    readRelative(words, at, today) ??
    (at === start ? undefined : readCurrent(words, at, today))
  );
}

/** Skips `year` in `the year 2025` and `month of` in `the month of May`. */
function skipUnit(words: readonly string[], at: number): number {
  const next = words[at + 1] ?? '';
  if (words[at] === 'year' && /^(?:19|20)\d{2}$/.test(next)) return at + 1;
  return words[at] === 'month' && next === 'of' && monthNumber(words[at + 2]) !== undefined ? at + 2 : at;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

export const DATE_WORDS: readonly string[] = [
  ...MONTHS,
  ...'today yesterday since until between before after'.split(' '),
  ...'hours days weeks months quarters years hour day week month quarter year previous'.split(' '),
];

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Reads a number such as `5`, `five` or `a couple of`. */
export function readNumber(word = ''): number | undefined {
  if (/^\d{1,6}$/.test(word)) return Number(word);
  if (word === 'fifteen' || word === 'twenty' || word === 'fifty' || word === 'hundred') {
    return { fifteen: 15, twenty: 20, fifty: 50, hundred: 100 }[word];
  }
  const index = NUMBER_WORDS.indexOf(word);
  return index > 0 ? index : undefined;
}

export function readUnit(word = ''): TimeUnit | undefined {
  const singular = word.endsWith('s') ? word.slice(0, -1) : word;
  return UNITS.find((unit) => unit === singular || (unit === 'month' && singular === 'monthe'));
}

const UNITS: readonly TimeUnit[] = ['hour', 'day', 'week', 'month', 'quarter', 'year'];

/** Reads `end of 2025` or `beginning of March`. */
function readEdge(words: readonly string[], at: number, today: string): Point | undefined {
  const [edge = '', of] = words.slice(at, at + 2);
  if (of !== 'of' || !['end', 'start', 'beginning'].includes(edge)) return undefined;
  const point = readPoint(words, at + 2, today);
  const day = edge === 'end' ? point?.range.to : point?.range.from;
  return point === undefined || day === undefined
    ? undefined
    : { end: point.end, range: { from: day, to: day }, isClear: true };
}

function readDigits(words: readonly string[], at: number): Point | undefined {
  const word = (words[at] ?? '').replaceAll('/', '-');
  if (isDay(word)) return { end: at + 1, range: { from: word, to: word }, isClear: true };
  const [, year = '', rest = ''] = /^((?:19|20)\d{2})(?:-(\d{2}|(?:19|20)\d{2}))?$/.exec(word) ?? [];
  if (year === '') return undefined;
  const isQuarter = /^q[1-4]$/.test(words[at + 1] ?? '');
  if (rest === '' && isQuarter) {
    return { end: at + 2, range: quarter(Number(year), Number(words[at + 1]?.slice(1))), isClear: true };
  }
  if (rest === '') return { end: at + 1, range: yearRange(Number(year)), isClear: false };
  if (rest.length === 4) {
    return Number(rest) < Number(year)
      ? undefined
      : { end: at + 1, range: { from: `${year}-01-01`, to: `${rest}-12-31` }, isClear: true };
  }
  const month = Number(rest);
  return month < 1 || month > 12 ? undefined : { end: at + 1, range: monthRange(Number(year), month), isClear: true };
}

function quarter(year: number, number: number): Required<DayRange> {
  return monthRange(year, number * 3 - 2, 3);
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** Reads `Q1 2025`, `first quarter of 2025` or `second half of 2025`. */
function readPartOfYear(words: readonly string[], at: number): Point | undefined {
  const text = words.slice(at, at + 5);
  const [, kind = '', digit] = /^([qh])([1-4])$/.exec(text[0] ?? '') ?? [];
  const ordinal = ORDINALS.indexOf((text[0] ?? '').replace('1st', 'first').replace('2nd', 'second')) + 1;
  const isHalf = kind === 'h' || text[1] === 'half';
  if (kind === '' && (ordinal === 0 || !['quarter', 'half'].includes(text[1] ?? ''))) return undefined;
  const number = digit === undefined ? ordinal : Number(digit);
  const rest = text.slice(kind === '' ? 2 : 1);
  const skipped = rest.findIndex((word) => word !== 'of' && word !== 'the' && word !== 'in');
  const year = /^(?:19|20)\d{2}$/.test(rest[skipped] ?? '') ? Number(rest[skipped]) : undefined;
  if (year === undefined || (isHalf && number > 2)) return undefined;
  const range = isHalf ? monthRange(year, number * 6 - 5, 6) : quarter(year, number);
  return { end: at + (kind === '' ? 2 : 1) + skipped + 1, range, isClear: true };
}

/** Reads `March 2025`, `5 March 2025`, `March 5th, 2025` or `March`. */
function readMonth(words: readonly string[], at: number, today: string): Point | undefined {
  const before = readDayNumber(words[at]);
  const afterDay = before === undefined ? at : words[at + 1] === 'of' ? at + 2 : at + 1;
  const month = monthNumber(words[afterDay]);
  if (month === undefined) return undefined;
  const next = words[afterDay + 1] === 'of' ? afterDay + 2 : afterDay + 1;
  const after = before === undefined ? readDayNumber(words[next]) : undefined;
  const yearAt = after === undefined ? next : next + 1;
  const [thisYear = 0, thisMonth = 0] = today.split('-').map(Number);
  const named = readYear(words, yearAt, thisYear);
  const hasYear = named !== undefined;
  const year = named?.year ?? thisYear - (month > thisMonth ? 1 : 0);
  const end = named?.end ?? (after === undefined ? afterDay + 1 : yearAt);
  const day = before ?? after;
  const range = monthRange(year, month);
  if (day === undefined) {
    return { end, range, isClear: hasYear, ...(!hasYear && { month }) };
  }
  const only = addDays(range.from, day - 1);
  return only > range.to ? undefined : { end, range: { from: only, to: only }, isClear: true };
}

/** Reads `2025`, `this year` or `last year`. */
function readYear(words: readonly string[], at: number, thisYear: number) {
  const [word = '', next] = words.slice(at, at + 2);
  if (/^(?:19|20)\d{2}$/.test(word)) return { year: Number(word), end: at + 1 };
  if (next !== 'year') return undefined;
  if (word === 'this' || word === 'current') return { year: thisYear, end: at + 2 };
  return word === 'last' || word === 'previous' ? { year: thisYear - 1, end: at + 2 } : undefined;
}

function monthNumber(word = ''): number | undefined {
  const index = MONTHS.findIndex(
    (name) =>
      word === name || (word.length >= 3 && word === name.slice(0, 3)) || (word === 'sept' && name === 'september'),
  );
  return index === -1 ? undefined : index + 1;
}

function readDayNumber(word = ''): number | undefined {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word) ?? [];
  const day = Number(digits);
  return digits !== undefined && day >= 1 && day <= 31 ? day : undefined;
}

/** Reads `today`, `this month`, `last year`, `past 3 weeks` or `24 hours`. */
function readRelative(words: readonly string[], at: number, today: string): Point | undefined {
  const [which = '', next = ''] = words.slice(at, at + 2);
  if (which === 'today') {
    return { end: at + 1, range: { from: today, to: today }, duration: { count: 1, unit: 'day' }, isClear: true };
  }
  if (which === 'yesterday') return { end: at + 1, range: calendarRange(today, 'day', -1), isClear: true };
  const ago = readAgo(words, at, today);
  if (ago !== undefined) return ago;
  if (!['this', 'current', 'last', 'past', 'previous', 'recent'].includes(which)) return readPlainDuration(words, at);
  const calendarAt = next === 'calendar' || next === 'full' ? at + 2 : at + 1;
  const unit = readUnit(words[calendarAt]);
  if (unit !== undefined && !(words[calendarAt] ?? '').endsWith('s')) {
    return relativeUnit(which, unit, calendarAt + 1, today);
  }
  const coupleAt = next === 'couple' ? at + (words[at + 2] === 'of' ? 3 : 2) : at + 2;
  const count = next === 'couple' ? 2 : readNumber(next);
  const units = readUnit(words[coupleAt]);
  return count === undefined || units === undefined || which === 'this' || which === 'current' || count > MAX_COUNT
    ? undefined
    : rolling({ count, unit: units }, coupleAt + 1, today);
}

const MAX_COUNT = 1_000;

function relativeUnit(which: string, unit: TimeUnit, end: number, today: string): Point {
  const duration = { count: 1, unit };
  if (which === 'this' || which === 'current') {
    return { end, range: { from: calendarRange(today, unit, 0).from }, duration, isClear: true };
  }
  if (which === 'past' || which === 'recent' || unit === 'day' || unit === 'hour') return rolling(duration, end, today);
  return { end, range: calendarRange(today, unit, -1), duration, isClear: true };
}

function rolling(duration: Duration, end: number, today: string): Point {
  return { end, range: { from: addDays(dayBefore(today, duration), 1) }, duration, isClear: true };
}

/** Reads `the week` in `of the week`. */
function readCurrent(words: readonly string[], at: number, today: string): Point | undefined {
  const unit = readUnit(words[at]);
  if (unit === undefined || words[at] !== unit) return undefined;
  return { ...relativeUnit('this', unit, at + 1, today), isClear: false };
}

/** Reads `3 months ago` or `a year ago`. */
function readAgo(words: readonly string[], at: number, today: string): Point | undefined {
  const count = words[at] === 'a' || words[at] === 'an' ? 1 : readNumber(words[at]);
  const unit = readUnit(words[at + 1]);
  if (count === undefined || unit === undefined || words[at + 2] !== 'ago' || count > MAX_COUNT) return undefined;
  const day = dayBefore(today, { count, unit });
  return { end: at + 3, range: { from: day, to: day }, isClear: false };
}

/** Reads `24 hours` or `calendar month`. */
function readPlainDuration(words: readonly string[], at: number): Point | undefined {
  if (words[at] === 'calendar' && words[at + 1] === 'month') {
    return { end: at + 2, range: {}, duration: { count: 1, unit: 'month' }, isClear: true };
  }
  const count = readNumber(words[at]);
  const unit = readUnit(words[at + 1]);
  return count === undefined || unit === undefined || count > MAX_COUNT
    ? undefined
    : { end: at + 2, range: {}, duration: { count, unit }, isClear: true };
}
