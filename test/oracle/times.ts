/** Times are texts in the form `YYYY-MM-DD HH:MM:SS` in UTC. Days are the first ten characters. Times and days can be compared as text. */

export const DAY_MS = 86_400_000;

export function millisOf(time: string): number {
  return Date.parse(`${time.length === 10 ? `${time} 00:00:00` : time}Z`.replace(' ', 'T'));
}

export function timeOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 19).replace('T', ' ');
}

export function dayOf(time: string): string {
  return time.slice(0, 10);
}

export function daysAfter(day: string, days: number): string {
  return dayOf(timeOf(millisOf(day) + days * DAY_MS));
}

/** Returns the first day of the month that is `months` months after the month of the day. */
export function monthStart(day: string, months = 0): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return dayOf(timeOf(Date.UTC(year, month - 1 + months, 1)));
}

/** Returns the same day of an earlier month, or its last day if that month is shorter. */
export function monthsBefore(time: string, months: number): string {
  const first = monthStart(time.slice(0, 10), -months);
  const last = daysAfter(monthStart(first, 1), -1);
  const day = `${first.slice(0, 8)}${time.slice(8, 10)}`;
  return (day < last ? day : last) + time.slice(10);
}

/** Returns the Monday of the week of the day. */
export function mondayOf(day: string): string {
  return daysAfter(day, -((new Date(millisOf(day)).getUTCDay() + 6) % 7));
}

/** Returns the number of full years from one time to another. */
export function fullYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(4) < from.slice(4) ? years - 1 : years;
}
