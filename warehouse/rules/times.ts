/** Formats a time of the tables, `YYYY-MM-DD HH:MM:SS` in UTC, as ISO 8601. `sqlTime` does the reverse. */
export function isoTime(stored: unknown): string {
  return `${String(stored).slice(0, 19).replace(' ', 'T')}Z`;
}

/** Whether `YYYY-MM-DD` is an existing day. `Date.parse` alone accepts 30 February, as 1 March. */
export function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Returns the days from one time to another, both included, as `YYYY-MM-DD`. The times must begin with their day in this format. */
export function daysBetween(first: string, last: string): string[] {
  const start = Date.parse(first.slice(0, 10));
  const days = (Date.parse(last.slice(0, 10)) - start) / DAY_MS + 1;
  return Array.from({ length: days }, (_, day) => new Date(start + day * DAY_MS).toISOString().slice(0, 10));
}

const DAY_MS = 86_400_000;
