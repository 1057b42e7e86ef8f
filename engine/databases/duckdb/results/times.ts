/** Formats days since 1970-01-01 as `YYYY-MM-DD`. Returns null before the year 1 and after 9999: MySQL does not have such dates. */
export function formatDate(days: number): string | null {
  if (days < FIRST_DAY || days > LAST_DAY) return null;
  const cached = dateTexts.get(days);
  if (cached !== undefined) return cached;
  const text = formatCivilDate(days);
  if (dateTexts.size >= MAX_CACHED_DATES) dateTexts.clear();
  dateTexts.set(days, text);
  return text;
}

/** Formats microseconds since midnight as `HH:MM:SS`, with six digits of a fraction unless it is zero. */
export function formatTime(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  return formatClock(seconds) + formatFraction(Number(micros % 1_000_000n));
}

/**
 * Formats microseconds since 1970 as `YYYY-MM-DD HH:MM:SS` in UTC, with six digits of a fraction unless it is zero.
 * Returns null before the year 1 and after 9999, as `formatDate` does.
 */
export function formatTimestamp(micros: bigint | number): string | null {
  const second = typeof micros === 'number' ? Math.floor(micros / 1_000_000) : Number(floorDivide(micros, 1_000_000n));
  const fraction =
    typeof micros === 'number' ? micros - second * 1_000_000 : Number(micros - BigInt(second) * 1_000_000n);
  const day = Math.floor(second / SECONDS_PER_DAY);
  const date = formatDate(day);
  return date && `${date} ${formatClock(second - day * SECONDS_PER_DAY)}${formatFraction(fraction)}`;
}

/** The days of 0001-01-01 and 9999-12-31, counted from 1970-01-01. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;
const SECONDS_PER_DAY = 86_400;
/**
 * The maximum number of cached texts of days. Most results have only a few distinct days; the limit prevents a
 * malicious query from filling the memory.
 */
const MAX_CACHED_DATES = 20_000;
const dateTexts = new Map<number, string>();

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** Converts days to a civil date by the 400-year cycle of the Gregorian calendar. */
function formatCivilDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}`;
}

function formatClock(seconds: number): string {
  return `${padTwo(Math.floor(seconds / 3600))}:${padTwo(Math.floor(seconds / 60) % 60)}:${padTwo(seconds % 60)}`;
}

function formatFraction(micros: number): string {
  return micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`;
}

function padTwo(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
