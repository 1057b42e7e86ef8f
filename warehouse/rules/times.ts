/** Formats a time of the tables, `YYYY-MM-DD HH:MM:SS` in UTC, as ISO 8601. `sqlTime` does the reverse. */
export function isoTime(stored: unknown): string {
  return `${String(stored).slice(0, 19).replace(' ', 'T')}Z`;
}

/** Whether the calendar has a day `YYYY-MM-DD`. `Date.parse` alone reads 30 February as 1 March. */
export function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
