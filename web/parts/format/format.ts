const NUMBER = new Intl.NumberFormat();
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a number for the locale of the browser. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Formats a time (ISO 8601) in UTC, with the label UTC. */
export function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`;
}

/** Formats a day (`YYYY-MM-DD`, in UTC) for the locale of the browser. Other text is returned unchanged. */
export function formatDay(date: string): string {
  const ms = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(ms) ? date : DAY.format(ms);
}
