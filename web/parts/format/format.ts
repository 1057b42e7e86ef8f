const NUMBER = new Intl.NumberFormat();
/** The calendar of the data. With the calendar of the locale, texts and tables could show different years. */
const CALENDAR = { calendar: 'gregory', timeZone: 'UTC' } as const;
const TIME = new Intl.DateTimeFormat(undefined, { ...CALENDAR, dateStyle: 'medium', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { ...CALENDAR, dateStyle: 'medium' });

/** Formats a number for the locale of the browser. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Formats a time (ISO 8601) in UTC, with the label UTC. */
export function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`;
}

/** Formats a day (`YYYY-MM-DD`, in UTC) for the locale of the browser. Text that is not a date is returned unchanged. */
export function formatDay(date: string): string {
  const ms = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(ms) ? date : DAY.format(ms);
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Formats the age of a time in its largest unit, such as `3 hours old`. The unit is in the language of the console. */
export function formatAge(iso: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(iso));
  const [unit, size] = UNITS.find(([, one]) => ms >= one) ?? ['minute', 60_000];
  const count = Math.floor(ms / size);
  if (count === 0) return 'less than a minute old';
  return `${new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)} old`;
}

/** Formats a duration in its largest unit, such as `25 ms`, `1.4 s` or `12 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${NUMBER.format(Math.max(1, Math.round(ms)))} ms`;
  if (ms < MINUTE) return `${NUMBER.format(Math.round(ms / 100) / 10)} s`;
  return ms < HOUR ? `${NUMBER.format(Math.round(ms / MINUTE))} min` : `${NUMBER.format(Math.round(ms / HOUR))} h`;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
