import { DAY_SECONDS } from './growth.js';

const dates = new Map<number, string>();
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Formats seconds of the Unix epoch, for example `2026-03-14T15:09:26Z`. Because the function caches the text of each day, it is several
 * times faster than Date.toISOString.
 */
export function isoTime(seconds: number): string {
  const day = Math.floor(seconds / DAY_SECONDS);
  let date = dates.get(day);
  if (date === undefined) {
    date = isoDate(seconds);
    dates.set(day, date);
  }
  const second = seconds - day * DAY_SECONDS;
  const hour = twoDigits[Math.floor(second / 3600)];
  return `${date}T${hour}:${twoDigits[Math.floor(second / 60) % 60]}:${twoDigits[second % 60]}Z`;
}

/** Formats the day of a time, for example `2026-03-14`. */
export function isoDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
