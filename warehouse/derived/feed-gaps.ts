import type { Tables } from '../store/store.js';
import { ALL_HOURS, FIRST_HOUR, formatHour, formatPeriod, LAST_HOUR } from './hours.js';

/** The event types that operations count. If events of these types are missing, answers are wrong. */
export const WATCHED_TYPES = [
  'WatchEvent',
  'IssuesEvent',
  'PullRequestEvent',
  'PushEvent',
  'ForkEvent',
  'PullRequestReviewEvent',
  'PullRequestReviewCommentEvent',
];

/**
 * The value of a complete day in imported_hours: the bits of all hours, and an additional bit that means that no type
 * has a gap on this day.
 */
export const COMPLETE_DAY = 2 ** 25 - 1;

/**
 * Computes mv_feed_gaps: runs of hours without an event of a type. A day with imported archive files (imported_hours) is checked hour by
 * hour. Any other day with an event of the type has no gap, because on a day with few events, an hour without events may be complete. If an
 * hour was not imported but is next to an imported hour, its events are ignored, because the files of 2012 to 2014 contain some events
 * after the end of their hour.
 */
export async function refreshGaps(tables: Tables): Promise<void> {
  const days = await readCoveredDays(tables);
  await tables.run('DELETE FROM mv_feed_gaps');
  const data = spanOf(days);
  if (data === undefined) return;
  const gaps = WATCHED_TYPES.flatMap((type) => findGaps(type, days, data));
  await tables.insertRows('mv_feed_gaps', gaps.map(rowOf));
}

/** Consecutive hours; the first and the last hour are included. Hours are counted from the start of 1970. */
interface Span {
  readonly first: number;
  readonly last: number;
}

interface CoveredDay {
  /** The number of the first hour of the day. */
  readonly start: number;
  /** The hours with an event or an imported file, as bits. */
  hours: number;
  /** The hours with an imported file, as bits; 0 if no hour was imported separately. */
  imported: number;
  /** Whether all events of the day were imported, so that the day has no gap. */
  isComplete: boolean;
  /** The hours with an event, as bits, by type. */
  readonly byType: Map<string, number>;
}

async function readCoveredDays(tables: Tables): Promise<CoveredDay[]> {
  const days = new Map<string, CoveredDay>();
  const dayOf = (cell: unknown) => {
    const text = String(cell);
    const known = days.get(text) ?? {
      start: hourOf(text),
      hours: 0,
      imported: 0,
      isComplete: false,
      byType: new Map(),
    };
    days.set(text, known);
    return known;
  };
  for (const [day, type, hours] of await tables.rows(COVERED)) {
    const covered = dayOf(day);
    covered.hours |= Number(hours);
    covered.byType.set(String(type), Number(hours));
  }
  for (const [day, hours] of await tables.rows('SELECT day, hours FROM imported_hours')) {
    const covered = dayOf(day);
    covered.imported = Number(hours) & ALL_HOURS;
    covered.isComplete = Number(hours) === COMPLETE_DAY;
  }
  const sorted = [...days.values()].sort((a, b) => a.start - b.start);
  removeOverruns(sorted);
  return sorted.filter(({ hours }) => hours !== 0);
}

/** Clears the bits of hours that were not imported but are next to an imported one. */
function removeOverruns(days: readonly CoveredDay[]): void {
  for (const [index, day] of days.entries()) {
    const [before, after] = [days[index - 1], days[index + 1]];
    const lastBefore = before?.start === day.start - 24 ? before.imported >>> 23 : 0;
    const firstAfter = after?.start === day.start + 24 ? (after.imported & 1) << 23 : 0;
    const adjacent = (day.imported << 1) | (day.imported >>> 1) | lastBefore | firstAfter;
    const overrun = adjacent & ~day.imported & ALL_HOURS;
    day.hours = (day.hours & ~overrun) | day.imported;
    for (const [type, hours] of day.byType) day.byType.set(type, hours & ~overrun);
  }
}

/**
 * Selects the days for the check. For types that operations do not count, only the first and the last day are needed,
 * to find the period of the data.
 */
const COVERED = `
  SELECT day, type, hours
  FROM mv_event_coverage
  WHERE type IN (${WATCHED_TYPES.map((type) => `'${type}'`).join(', ')})
    OR day = (SELECT MIN(day) FROM mv_event_coverage)
    OR day = (SELECT MAX(day) FROM mv_event_coverage)`;

/** The span from the first to the last hour of all data. */
function spanOf(days: readonly CoveredDay[]): Span | undefined {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [start] = runsOf(first.imported !== 0 ? first.hours : ALL_HOURS);
  const end = runsOf(last.imported !== 0 ? last.hours : ALL_HOURS).at(-1);
  return { first: first.start + (start?.first ?? 0), last: last.start + (end?.last ?? 23) };
}

/** Returns the gaps of a type: all hours before the data, gaps within the data, and all hours after the data. */
function findGaps(type: string, days: readonly CoveredDay[], data: Span): (Span & { readonly type: string })[] {
  const covered = days.flatMap(({ start, imported, isComplete, byType }) => {
    const hours = byType.get(type) ?? 0;
    const bits = isComplete || (hours !== 0 && imported === 0) ? ALL_HOURS : hours;
    return runsOf(bits).map(({ first, last }) => ({ first: start + first, last: start + last }));
  });
  const gaps: Span[] = [];
  let next = data.first;
  for (const { first, last } of [...covered, { first: data.last + 1, last: data.last }]) {
    if (first > next) gaps.push({ first: next, last: first - 1 });
    next = Math.max(next, last + 1);
  }
  // If the first day is complete, no events are missing before this day.
  const before = days[0]?.isComplete === true ? data.first : hourOf(FIRST_HOUR);
  const outside = [
    { first: before, last: data.first - 1 },
    { first: data.last + 1, last: hourOf(LAST_HOUR) },
  ].filter(({ first, last }) => first <= last);
  return [...outside, ...gaps].map((gap) => ({ ...gap, type }));
}

/** Returns the ranges of consecutive set bits in the hours of a day, from 0 to 23. */
function runsOf(bits: number): Span[] {
  if (bits === ALL_HOURS) return [{ first: 0, last: 23 }];
  const runs: Span[] = [];
  for (let hour = 0; hour < 24; hour++) {
    if ((bits & (1 << hour)) === 0) continue;
    const first = hour;
    while ((bits & (1 << (hour + 1))) !== 0 && hour < 23) hour++;
    runs.push({ first, last: hour });
  }
  return runs;
}

function rowOf({ type, first, last }: Span & { readonly type: string }) {
  const [firstHour, lastHour] = [formatHour(first), formatHour(last)];
  return [type, firstHour, lastHour, last - first + 1, formatPeriod(firstHour, lastHour)];
}

function hourOf(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11, 13) || '00'}:00:00Z`) / 3_600_000;
}
