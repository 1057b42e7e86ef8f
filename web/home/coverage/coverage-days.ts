import type { Row } from '../../api/rows.js';

/** A day of the coverage calendar. */
export interface CoverageDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The hours of the day (0 to 23) that are in the data. */
  readonly present: readonly number[];
  readonly missing: readonly number[];
  readonly events: number;
}

export interface CoverageWeek {
  /** Seven days from Monday. Days outside of the year or the data are undefined. */
  readonly days: readonly (CoverageDay | undefined)[];
  /** The month (1 to 12) that begins in this week. */
  readonly month: number | undefined;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Reads the rows of `data-coverage`. On the last day, hours after the end of the data do not count as missing. */
export function readDays(rows: readonly Row[], lastDay: string | undefined): readonly CoverageDay[] {
  return rows.map((row) => {
    const date = String(row.day).slice(0, 10);
    const bits = Number(row.hour_bits);
    const present = HOURS.filter((hour) => (bits & (1 << hour)) !== 0);
    const end = date === lastDay ? (present.at(-1) ?? 0) : 23;
    const missing = HOURS.filter((hour) => hour <= end && (bits & (1 << hour)) === 0);
    return { date, present, missing, events: Number(row.events) };
  });
}

/** Splits the days of a year into weeks, from Monday to Sunday. */
export function toWeeks(year: number, days: readonly CoverageDay[]): readonly CoverageWeek[] {
  const byDate = new Map(days.map((day) => [day.date, day]));
  const first = Date.UTC(year, 0, 1);
  const last = Date.UTC(year, 11, 31);
  const weeks: CoverageWeek[] = [];
  for (let monday = first - weekdayOf(first) * DAY_MS; monday <= last; monday += 7 * DAY_MS) {
    const dates = HOURS.slice(0, 7).map((offset) => new Date(monday + offset * DAY_MS));
    const begin = dates.find((date) => date.getUTCDate() === 1 && date.getUTCFullYear() === year);
    weeks.push({
      days: dates.map((date) => (date.getUTCFullYear() === year ? byDate.get(dateText(date)) : undefined)),
      month: begin && begin.getUTCMonth() + 1,
    });
  }
  return weeks;
}

/** Formats hours as ranges, such as `03–05, 12`. */
export function formatHours(hours: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const hour of hours) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === hour - 1) range[1] = hour;
    else ranges.push([hour, hour]);
  }
  const text = (hour: number) => String(hour).padStart(2, '0');
  return ranges.map(([from, to]) => (from === to ? text(from) : `${text(from)}–${text(to)}`)).join(', ');
}

const DAY_MS = 86_400_000;

/** Returns the day of the week; Monday is 0. */
function weekdayOf(ms: number): number {
  return (new Date(ms).getUTCDay() + 6) % 7;
}

function dateText(date: Date): string {
  return date.toISOString().slice(0, 10);
}
