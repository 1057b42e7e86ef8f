/** A time of the tables, `YYYY-MM-DD HH:MM:SS` in UTC, in ISO 8601; `sqlTime` is the other way round. */
export function isoTime(stored: unknown): string {
  return `${String(stored).slice(0, 19).replace(' ', 'T')}Z`;
}

/** Whether a day `YYYY-MM-DD` is there: `Date.parse` takes 30 February for 1 March. */
export function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
