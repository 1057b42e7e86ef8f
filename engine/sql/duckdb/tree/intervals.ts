import { child, type Node } from '../../reading/tree.js';
import { readCall } from './function-names.js';
import { writeInstant } from './instants.js';
import { isLiteral, isNull, stringValue } from './literals.js';
import { type Result, reject, type Translator } from './translator.js';

/** Returns the unit of an interval or of TIMESTAMPDIFF, in capital letters. */
export function unitOf(source: Node | string): string {
  const spec =
    typeof source === 'string' ? { unit: source } : (source.fields.unit as { unit?: unknown; type?: unknown });
  const name = String(spec?.unit ?? '').toUpperCase();
  const unit = name.startsWith('SQL_TSI_') ? name.slice(8) : name;
  if (unit in TO_INTERVAL) return unit;
  return unit === ''
    ? reject('An INTERVAL of two units, or the function INTERVAL', 'Write one unit, such as INTERVAL 90 MINUTE.')
    : reject(`The interval unit ${unit}`);
}

/** Writes `INTERVAL n unit` as a DuckDB interval. */
export function writeInterval(amount: Node, unit: string, to: Translator): string {
  const value = stringValue(amount) ?? (isLiteral(amount, 'number') ? String(amount.fields.value) : undefined);
  if (value !== undefined && /^\d{1,9}$/.test(value)) return `INTERVAL ${value} ${unit}`;
  const write = TO_INTERVAL[unit] ?? reject(`The interval unit ${unit}`);
  return write(to.value(amount));
}

/** Writes `x ± interval`. A DATE plus whole days stays a DATE. A text is treated as a DATETIME, unless it is a literal date. */
export function writeShiftedDate(x: Node, interval: string, unit: string, sign: '+' | '-', to: Translator): string {
  if (isNull(x)) return 'NULL';
  const value = to.value(x);
  const moved = `(${writeInstant(x, to)} ${sign} ${interval})`;
  if (!WHOLE_DAYS.has(unit)) return moved;
  const known = resultOfDate(x, to);
  if (known === 'date') return `CAST(${moved} AS DATE)`;
  return known === 'datetime' ? moved : `mysql.shifted_day(${moved}, ${value})`;
}

/** Returns the type of the result of `x ± interval`. */
export function resultOfShift(x: Node, unit: string, to: Translator): Result {
  if (!WHOLE_DAYS.has(unit)) return 'datetime';
  return resultOfDate(x, to);
}

function resultOfDate(x: Node, to: Translator): Result {
  const literal = stringValue(x) ?? (isLiteral(x, 'number') ? String(x.fields.value) : undefined);
  if (literal !== undefined && /^(\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{8})$/.test(literal)) return 'date';
  if (isFormattedDay(x)) return 'date';
  const result = to.result(x);
  if (x.kind === 'parameter' || result === 'text') return 'datetime';
  return result === 'date' || result === 'datetime' ? result : 'unknown';
}

/** Returns true for a call such as `DATE_FORMAT(x, '%Y-%m-01')`, whose result is always a text with a date. */
function isFormattedDay(x: Node): boolean {
  if (x.kind === 'paren') return isFormattedDay(child(x, 'this'));
  const called = x.kind === 'function' ? readCall(x) : undefined;
  const [, format] = called?.name === 'DATE_FORMAT' ? called.args : [];
  return format !== undefined && /^%Y-(%m|\d\d)-(%d|\d\d)$/.test(stringValue(format) ?? '');
}

/** Splits the operands of an addition into the interval and the date. Returns undefined if no operand is an interval. */
export function splitInterval(left: Node, right: Node): { readonly x: Node; readonly interval: Node } | undefined {
  if (right.kind === 'interval') return { x: left, interval: right };
  return left.kind === 'interval' ? { x: right, interval: left } : undefined;
}

/** Writes an interval node as a DuckDB interval. */
export function writeIntervalNode(node: Node, to: Translator): string {
  return writeInterval(child(node, 'this'), unitOf(node), to);
}

const WHOLE_DAYS = new Set(['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR']);

const TO_INTERVAL: Readonly<Record<string, (n: string) => string>> = {
  MICROSECOND: (n) => `to_microseconds(CAST(${n} AS BIGINT))`,
  // DuckDB's `to_seconds` calculates with a DOUBLE, whose fraction is not exact.
  SECOND: (n) => `to_microseconds(CAST(trunc(CAST(${n} AS DECIMAL(30, 9)) * 1000000) AS BIGINT))`,
  MINUTE: (n) => `to_minutes(CAST(${n} AS BIGINT))`,
  HOUR: (n) => `to_hours(CAST(${n} AS BIGINT))`,
  DAY: (n) => `to_days(CAST(${n} AS INTEGER))`,
  WEEK: (n) => `to_weeks(CAST(${n} AS INTEGER))`,
  MONTH: (n) => `to_months(CAST(${n} AS INTEGER))`,
  QUARTER: (n) => `to_months(3 * CAST(${n} AS INTEGER))`,
  YEAR: (n) => `to_years(CAST(${n} AS INTEGER))`,
};
