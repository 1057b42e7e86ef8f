const NUMBER = new Intl.NumberFormat();
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a number for the locale of the browser. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Formats a time (ISO 8601) in UTC, with the label UTC. */
export function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`;
}
