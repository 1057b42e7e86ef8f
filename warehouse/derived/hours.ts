/** A bit for each hour of a day. */
export const ALL_HOURS = 2 ** 24 - 1;

/** Formats the number of an hour, counted from the start of 1970, as `YYYY-MM-DD HH:00:00`. */
export function formatHour(hour: number): string {
  return `${new Date(hour * 3_600_000).toISOString().slice(0, 13).replace('T', ' ')}:00:00`;
}

/**
 * Formats consecutive hours: `from 2015-01-01 04:00 to 2015-01-02 22:59 UTC`, or with days only if they are whole days. Uses `before` or
 * `since` if the hours begin or end at the limits of mv_feed_gaps.
 */
export function formatPeriod(firstHour: string, lastHour: string): string {
  const day = (text: string) => text.slice(0, 10);
  if (firstHour === FIRST_HOUR) return `before ${startText(nextHour(lastHour))}`;
  if (lastHour === LAST_HOUR) return `since ${startText(firstHour)}`;
  if (startsDay(firstHour) && startsDay(nextHour(lastHour))) return `from ${day(firstHour)} to ${day(lastHour)}`;
  return `from ${firstHour.slice(0, 16)} to ${lastHour.slice(0, 13)}:59 UTC`;
}

/** The limits of mv_feed_gaps, which also contains the hours before and after the data. */
export const FIRST_HOUR = '2000-01-01 00:00:00';
export const LAST_HOUR = '2099-12-31 23:00:00';

function startText(hour: string): string {
  return startsDay(hour) ? hour.slice(0, 10) : `${hour.slice(0, 16)} UTC`;
}

function startsDay(hour: string): boolean {
  return hour.slice(11, 13) === '00';
}

function nextHour(hour: string): string {
  return formatHour(Date.parse(`${hour.replace(' ', 'T')}Z`) / 3_600_000 + 1);
}
