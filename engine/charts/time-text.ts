import type { ChartCell } from './result-column.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** The precision of the times of a column: the smallest unit that any of them uses. */
export type TimeUnit = 'year' | 'month' | 'day' | 'minute';

/** Returns the milliseconds since 1970 of a year, a month, a day or a time in UTC; null for any other cell. */
export function timeOf(cell: ChartCell): number | null {
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0'] = TIME.exec(String(cell)) ?? [];
  if (year === undefined) return null;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return Number.isNaN(time) ? null : time;
}

const TIME = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?Z?)?)?)?$/;

export function unitOf(times: readonly number[]): TimeUnit {
  if (times.some((time) => time % DAY_MS !== 0)) return 'minute';
  const dates = times.map((time) => new Date(time));
  if (dates.some((date) => date.getUTCDate() !== 1)) return 'day';
  return dates.some((date) => date.getUTCMonth() !== 0) ? 'month' : 'year';
}

/** Formats a time of a column in full. A time of day is labelled as UTC. */
export function timeText(time: number, unit: TimeUnit, locale: string): string {
  const text = formatter(locale, unit).format(time);
  return unit === 'minute' ? `${text} UTC` : text;
}

/** Returns the function that formats the ticks of an axis over these times. */
export function tickFormat(first: number, last: number, unit: TimeUnit, locale: string): (time: number) => string {
  const range = last - first;
  if (unit === 'year' || range > 6 * YEAR_MS) return (time) => String(new Date(time).getUTCFullYear());
  if (unit === 'month' || range > 150 * DAY_MS) return (time) => formatter(locale, 'month').format(time);
  if (unit === 'day' || range > 3 * DAY_MS) return (time) => formatter(locale, 'tick').format(time);
  return (time) => (time % DAY_MS === 0 ? formatter(locale, 'tick') : formatter(locale, 'clock')).format(time);
}

const FORMATS: Readonly<Record<TimeUnit | 'tick' | 'clock', Intl.DateTimeFormatOptions>> = {
  year: { year: 'numeric' },
  month: { year: 'numeric', month: 'short' },
  day: { dateStyle: 'medium' },
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  tick: { month: 'short', day: 'numeric' },
  clock: { hour: '2-digit', minute: '2-digit' },
};

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, name: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${locale} ${name}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat(locale, { ...FORMATS[name], calendar: 'gregory', timeZone: 'UTC' });
  formatters.set(key, created);
  return created;
}
