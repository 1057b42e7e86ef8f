/** `YYYY-MM-DD` of a number of days since 1970-01-01; null before the year 1 and after 9999, which MySQL does not have. */
export function dateText(days: number): string | null {
  if (days < FIRST_DAY || days > LAST_DAY) return null;
  const known = datesSeen.get(days);
  if (known !== undefined) return known;
  const text = proleptic(days);
  if (datesSeen.size >= REMEMBERED_DATES) datesSeen.clear();
  datesSeen.set(days, text);
  return text;
}

/** `HH:MM:SS` of microseconds since midnight, with a fraction only where it is not zero. */
export function timeText(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  return clockText(seconds) + fractionText(Number(micros % 1_000_000n));
}

/** `YYYY-MM-DD HH:MM:SS` (UTC) of microseconds since 1970, with a fraction only where it is not zero; null as `dateText`. */
export function timestampText(micros: bigint): string | null {
  const seconds = floorDivide(micros, 1_000_000n);
  const fraction = Number(micros - seconds * 1_000_000n);
  const second = Number(seconds);
  const day = Math.floor(second / SECONDS_A_DAY);
  const date = dateText(day);
  return date && `${date} ${clockText(second - day * SECONDS_A_DAY)}${fractionText(fraction)}`;
}

/** 0001-01-01 and 9999-12-31. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;
const SECONDS_A_DAY = 86_400;
/** Answers hold few distinct days; the limit only keeps a hostile one from filling the memory. */
const REMEMBERED_DATES = 20_000;
const datesSeen = new Map<number, string>();

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** Days → civil date by the 400-year cycle. */
function proleptic(days: number): string {
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
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function clockText(seconds: number): string {
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function fractionText(micros: number): string {
  return micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
