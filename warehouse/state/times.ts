/** A time as the tables have it, whole seconds in UTC: `YYYY-MM-DD HH:MM:SS`. */
export function storedTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** A time of the tables in ISO 8601. */
export function isoTime(stored: unknown): string {
  return `${String(stored).replace(' ', 'T')}Z`;
}
