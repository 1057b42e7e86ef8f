export const DAY_MS = 86_400_000;

/**
 * Returns the milliseconds from 1970 to a time `YYYY-MM-DD HH:MM:SS` in UTC. Throws a `TypeError` for a time that does
 * not exist. `Date.parse` is much slower, so it is used only for unusual times.
 */
export function readTime(text: string, column: string): number {
  const year = 100 * pairAt(text, 0) + pairAt(text, 2);
  const [month, day] = [pairAt(text, 5), pairAt(text, 8)];
  const [hour, minute, second] = [pairAt(text, 11), pairAt(text, 14), pairAt(text, 17)];
  // `Date.UTC` is used only for certainly valid times, because it accepts days that do not exist, and adds 1900 to years before 100.
  const isDay = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= DAYS_OF_ALL_MONTHS;
  const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (isDay && isTime && isSeparated(text)) return Date.UTC(year, month - 1, day, hour, minute, second);
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(ms)) throw new TypeError(`column ${column} has a time that does not exist: ${text}`);
  return ms;
}

const DAYS_OF_ALL_MONTHS = 28;
const TIME_LENGTH = 19;
const [ZERO, SPACE, MINUS, COLON] = [48, 32, 45, 58];

function isSeparated(text: string): boolean {
  return (
    text.length === TIME_LENGTH &&
    text.charCodeAt(4) === MINUS &&
    text.charCodeAt(7) === MINUS &&
    text.charCodeAt(10) === SPACE &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON
  );
}

/** Returns the number of two digits; a large negative number if they are not digits. */
function pairAt(text: string, index: number): number {
  const tens = text.charCodeAt(index) - ZERO;
  const ones = text.charCodeAt(index + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : NOT_DIGITS;
}

const NOT_DIGITS = -1_000_000;
