/** Returns the day that is a number of days after another day, as `YYYY-MM-DD`. */
export function dayText(first: string, days: number): string {
  return new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the time that is a number of seconds after the start of a day, as `YYYY-MM-DD HH:MM:SS`. */
export function timeText(first: string, seconds: number): string {
  return new Date(Date.parse(first) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
