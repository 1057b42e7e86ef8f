import { type Node, nameOf } from '../../reading/tree.js';
import { writeClock, writeDay, writeInstant } from '../tree/instants.js';
import { resultOfShift, unitOf, writeInterval, writeShiftedDate } from '../tree/intervals.js';
import { integerValue, isNull, stringValue } from '../tree/literals.js';
import { type Result, reject, type Translator, textLiteral } from '../tree/translator.js';
import {
  argumentAt,
  type FunctionRule,
  type FunctionRules,
  rule,
  valueRule,
  writeInteger,
  writeShownDigits,
  writeText,
} from './function-rule.js';

/** Functions on dates and times. Text that is not a date is treated as NULL. All times are in UTC. */
export const DATE_FUNCTIONS: FunctionRules = {
  NOW: valueRule('datetime', 0, 1, (digits) => writeNow(digits)),
  UTC_DATE: valueRule('date', 0, 0, () => 'CAST(mysql.now() AS DATE)'),
  UTC_TIME: valueRule('time', 0, 0, () => "CAST(date_trunc('second', mysql.now()) AS TIME)"),
  DATE: dayRule('date', (x) => x),
  TIME: clockRule('time', (x) => x),
  TIMESTAMP: rule('datetime', 1, 2, (args, to) => {
    const day = writeFirstInstant(args, to);
    return args[1] === undefined ? day : `(${day} + ${writeDuration(args[1], to)})`;
  }),
  ADDTIME: {
    ...rule('unknown', 2, 2, (args, to) => writeTimeShift('ADDTIME', args, '+', to)),
    resultOf: resultOfTimeShift,
  },
  SUBTIME: {
    ...rule('unknown', 2, 2, (args, to) => writeTimeShift('SUBTIME', args, '-', to)),
    resultOf: resultOfTimeShift,
  },
  TIMEDIFF: rule('time', 2, 2, writeTimeDifference),
  MAKETIME: valueRule('time', 3, 3, (h, m, s) => `mysql.time_of(${h}, ${m}, ${s})`),
  TIME_FORMAT: rule('text', 2, 2, writeTimeFormat),
  YEAR: instantRule('number', (x) => `year(${x})`),
  QUARTER: instantRule('number', (x) => `quarter(${x})`),
  MONTH: instantRule('number', (x) => `month(${x})`),
  DAY: instantRule('number', (x) => `day(${x})`),
  HOUR: clockRule('number', (x) => `hour(${x})`),
  MINUTE: clockRule('number', (x) => `minute(${x})`),
  SECOND: clockRule('number', (x) => `second(${x})`),
  MICROSECOND: clockRule('number', (x) => `microsecond(${x}) % 1000000`),
  DAYOFWEEK: instantRule('number', (x) => `dayofweek(${x}) + 1`),
  WEEKDAY: instantRule('number', (x) => `isodow(${x}) - 1`),
  DAYOFYEAR: instantRule('number', (x) => `dayofyear(${x})`),
  WEEK: rule('number', 1, 2, (args, to) => `mysql.week_${readWeekMode(args)}(${writeFirstInstant(args, to)})`),
  WEEKOFYEAR: instantRule('number', (x) => `mysql.week_3(${x})`),
  YEARWEEK: rule('number', 1, 2, writeYearWeek),
  DAYNAME: instantRule('text', (x) => `dayname(${x})`),
  MONTHNAME: instantRule('text', (x) => `monthname(${x})`),
  LAST_DAY: dayRule('date', (x) => `last_day(${x})`),
  TO_DAYS: dayRule('number', (x) => `mysql.days_since_year_0(${x})`),
  FROM_DAYS: valueRule('date', 1, 1, (n) => `mysql.date_of_days(${n})`),
  MAKEDATE: valueRule('date', 2, 2, (year, day) => `mysql.date_of_year_day(${year}, ${day})`),
  DATEDIFF: rule('number', 2, 2, (args, to) => {
    const [a, b] = [writeDay(argumentAt(args, 0), to), writeDay(argumentAt(args, 1), to)];
    return `CAST(${a} - ${b} AS BIGINT)`;
  }),
  TIMESTAMPDIFF: rule('number', 3, 3, writeDifference),
  TIMESTAMPADD: {
    ...rule('unknown', 3, 3, (args, to) => {
      const unit = unitOf(nameOf(argumentAt(args, 0).fields.name));
      return writeShiftedDate(argumentAt(args, 2), writeInterval(argumentAt(args, 1), unit, to), unit, '+', to);
    }),
    resultOf: (args, to) => resultOfShift(argumentAt(args, 2), unitOf(nameOf(argumentAt(args, 0).fields.name)), to),
  },
  ADDDATE: { ...rule('unknown', 2, 2, (args, to) => writeDateShift(args, '+', to)), resultOf: resultOfDateShift },
  SUBDATE: { ...rule('unknown', 2, 2, (args, to) => writeDateShift(args, '-', to)), resultOf: resultOfDateShift },
  UNIX_TIMESTAMP: rule('number', 0, 1, (args, to) => {
    const instant = args[0] === undefined ? 'mysql.now()' : writeInstant(args[0], to);
    return `mysql.unix_seconds(${instant})`;
  }),
  FROM_UNIXTIME: {
    ...rule('unknown', 1, 2, (args, to) => {
      const instant = `mysql.of_unix_seconds(${writeShownDigits(argumentAt(args, 0), to)})`;
      return args[1] === undefined ? instant : writeDateFormat(instant, readFormat('FROM_UNIXTIME', args[1]));
    }),
    resultOf: (args) => (args[1] === undefined ? 'datetime' : 'text'),
  },
  DATE_FORMAT: rule('text', 2, 2, (args, to) =>
    writeDateFormat(writeFirstInstant(args, to), readFormat('DATE_FORMAT', argumentAt(args, 1))),
  ),
  STR_TO_DATE: { ...rule('unknown', 2, 2, writeStrToDate), resultOf: resultOfStrToDate },
  TO_SECONDS: instantRule('number', (x) => `(epoch_us(${x}) // 1000000 + 62167219200)`),
  TIME_TO_SEC: clockRule('number', (x) => `CAST(trunc(epoch(${x})) AS BIGINT)`),
  SEC_TO_TIME: rule('time', 1, 1, (args, to) => `mysql.time_of_seconds(${writeShownDigits(argumentAt(args, 0), to)})`),
  CONVERT_TZ: rule('datetime', 3, 3, (args, to) => {
    const minutes = readOffset(argumentAt(args, 2)) - readOffset(argumentAt(args, 1));
    return `(${writeFirstInstant(args, to)} + INTERVAL (${minutes}) MINUTE)`;
  }),
  PERIOD_ADD: rule(
    'number',
    2,
    2,
    (args, to) =>
      `mysql.period_of_months(mysql.months_of_period(${writeInteger(argumentAt(args, 0), to)}) + ${writeInteger(argumentAt(args, 1), to)})`,
  ),
  PERIOD_DIFF: rule(
    'number',
    2,
    2,
    (args, to) =>
      `(mysql.months_of_period(${writeInteger(argumentAt(args, 0), to)}) - mysql.months_of_period(${writeInteger(argumentAt(args, 1), to)}))`,
  ),
};

/** Writes `EXTRACT(unit FROM x)`. */
export function writeExtract(unit: string, x: Node, to: Translator): string {
  const [first = '', last] = unit.split('_');
  const names =
    last === undefined ? [unit] : JOINED_UNITS.slice(JOINED_UNITS.indexOf(first), JOINED_UNITS.indexOf(last) + 1);
  if (names.length === 0 || (last !== undefined && last !== 'MONTH' && first === 'YEAR'))
    reject(`EXTRACT(${unit} FROM …)`);
  const values = names.map((name) => {
    const found = EXTRACT_UNITS.has(name) ? DATE_FUNCTIONS[name] : undefined;
    return found?.write([x], to) ?? reject(`EXTRACT(${unit} FROM …)`);
  });
  return values.reduce((whole, next) => `(${whole} * 100 + ${next})`);
}

const EXTRACT_UNITS = new Set(['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MICROSECOND']);

/** The units in a range of EXTRACT, such as DAY_MINUTE. The result has two digits for each unit after the first. */
const JOINED_UNITS = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'];

function instantRule(result: Result, write: (instant: string) => string): FunctionRule {
  return rule(result, 1, 1, (args, to) => write(writeInstant(argumentAt(args, 0), to)));
}

function dayRule(result: Result, write: (day: string) => string): FunctionRule {
  return rule(result, 1, 1, (args, to) => write(writeDay(argumentAt(args, 0), to)));
}

function clockRule(result: Result, write: (clock: string) => string): FunctionRule {
  return rule(result, 1, 1, (args, to) => write(writeClock(argumentAt(args, 0), to)));
}

function writeFirstInstant(args: readonly Node[], to: Translator): string {
  return writeInstant(argumentAt(args, 0), to);
}

function writeNow(digits = '0'): string {
  const unit = { 0: 'second', 3: 'millisecond', 6: 'microsecond' }[digits];
  return unit === undefined
    ? reject(`NOW(${digits})`, 'Write 0, 3 or 6 digits.')
    : `date_trunc('${unit}', mysql.now())`;
}

/** Returns the mode of a week function. Default: 0, which is also the default of MySQL's setting `default_week_format`. */
function readWeekMode(args: readonly Node[]): number {
  const mode = args[1] === undefined ? 0 : integerValue(args[1]);
  return mode !== undefined && mode >= 0 && mode <= 7 ? mode : reject('This week mode', 'Known: 0 to 7.');
}

function writeYearWeek(args: readonly Node[], to: Translator): string {
  const x = writeFirstInstant(args, to);
  switch (readWeekMode(args)) {
    case 0:
    case 2:
      return `(mysql.year_of_week_2(${x}) * 100 + mysql.week_2(${x}))`;
    case 4:
    case 6:
      return `(year(mysql.wednesday(${x})) * 100 + mysql.week_6(${x}))`;
    case 5:
    case 7:
      return `(mysql.year_of_week_7(${x}) * 100 + mysql.week_7(${x}))`;
    default:
      return `(isoyear(${x}) * 100 + mysql.week_3(${x}))`;
  }
}

/** Writes a time as a DuckDB interval. A literal can have more than 24 hours. */
function writeDuration(time: Node, to: Translator): string {
  const [, hours, minutes, seconds] = /^(\d{2,3}):([0-5]\d):([0-5]\d)$/.exec(stringValue(time) ?? '') ?? [];
  if (hours !== undefined) return `to_seconds(${Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)})`;
  if (stringValue(time) !== undefined) return `to_microseconds(epoch_us(${writeClock(time, to)}))`;
  return `mysql.duration(${to.value(time)})`;
}

/** Writes ADDTIME and SUBTIME. The first argument must be a DATETIME or a TIME by its form, because a text would remain a text. */
function writeTimeShift(name: string, args: readonly Node[], sign: '+' | '-', to: Translator): string {
  const x = argumentAt(args, 0);
  const duration = writeDuration(argumentAt(args, 1), to);
  if (to.result(x) === 'datetime') return `(${to.value(x)} ${sign} ${duration})`;
  if (to.result(x) !== 'time')
    reject(`${name} of a value whose type is not clear`, 'Write CAST(x AS DATETIME) or CAST(x AS TIME).');
  const day = `DATE '2000-01-01'`;
  return `mysql.time_between(${day} + ${to.value(x)} ${sign} ${duration}, CAST(${day} AS TIMESTAMP))`;
}

function resultOfTimeShift(args: readonly Node[], to: Translator): Result {
  return to.result(argumentAt(args, 0)) === 'time' ? 'time' : 'datetime';
}

/** Writes TIMEDIFF. Both arguments must have the same form, because the difference of a DATETIME and a TIME is NULL. */
function writeTimeDifference(args: readonly Node[], to: Translator): string {
  const sides = [argumentAt(args, 0), argumentAt(args, 1)];
  const forms = new Set(sides.map((side) => formOfTime(side, to)).filter((form) => form !== 'unknown'));
  if (forms.size > 1) reject('TIMEDIFF of different types', 'Write CAST(x AS DATETIME) or CAST(x AS TIME) for both.');
  const [a, b] = sides.map((side) =>
    stringValue(side) === undefined ? `mysql.moment(${to.value(side)})` : writeMoment(side, forms.has('time'), to),
  );
  return `mysql.time_between(${a}, ${b})`;
}

function writeMoment(literal: Node, isTime: boolean, to: Translator): string {
  return isTime ? `(DATE '2000-01-01' + ${writeClock(literal, to)})` : writeInstant(literal, to);
}

/** Returns the form of an argument of TIMEDIFF; `unknown` for NULL and for a column. */
function formOfTime(node: Node, to: Translator): Result {
  if (isNull(node)) return 'unknown';
  const text = stringValue(node);
  if (text !== undefined) return /^\s*\d{1,2}:/.test(text) ? 'time' : 'datetime';
  return to.result(node) === 'text' ? 'unknown' : to.result(node);
}

/** Writes TIME_FORMAT, whose format has only codes of a time, because servers differ in the others. */
function writeTimeFormat(args: readonly Node[], to: Translator): string {
  const format = readFormat('TIME_FORMAT', argumentAt(args, 1));
  const code = [...format.matchAll(/%[\s\S]/g)].find(([found]) => !TIME_CODES.has(found) && !/^%[rT%]$/.test(found));
  if (code !== undefined) reject(`TIME_FORMAT with the code ${code}`, 'Write DATE_FORMAT.');
  return writeDateFormat(`(DATE '2000-01-01' + ${writeClock(argumentAt(args, 0), to)})`, format);
}

/** Writes TIMESTAMPDIFF, which counts whole units and rounds towards zero. */
function writeDifference(args: readonly Node[], to: Translator): string {
  const unit = unitOf(nameOf(argumentAt(args, 0).fields.name));
  const [a, b] = [writeInstant(argumentAt(args, 1), to), writeInstant(argumentAt(args, 2), to)];
  const months = MONTHS_IN[unit];
  return months === undefined
    ? `(mysql.micros_between(${a}, ${b}) // ${MICROS_IN[unit] ?? reject(`TIMESTAMPDIFF(${unit}, …)`)})`
    : `(mysql.whole_months(${a}, ${b}) // ${months})`;
}

const MONTHS_IN: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };
const MICROS_IN: Readonly<Record<string, number>> = {
  MICROSECOND: 1,
  SECOND: 1_000_000,
  MINUTE: 60_000_000,
  HOUR: 3_600_000_000,
  DAY: 86_400_000_000,
  WEEK: 604_800_000_000,
};

/** Writes `ADDDATE(x, INTERVAL n unit)`, or `ADDDATE(x, n)` for a number of days. */
function writeDateShift(args: readonly Node[], sign: '+' | '-', to: Translator): string {
  const [x, by] = [argumentAt(args, 0), argumentAt(args, 1)];
  if (by.kind !== 'interval') return writeShiftedDate(x, writeInterval(by, 'DAY', to), 'DAY', sign, to);
  return writeShiftedDate(x, to.value(by), unitOf(by), sign, to);
}

/** Returns the offset from UTC in minutes. Time zone names are rejected, because most servers do not have the tables for them. */
function readOffset(node: Node): number {
  const [, sign, hours, minutes] = /^([-+])(\d{1,2}):([0-5]\d)$/.exec(stringValue(node) ?? '') ?? [];
  if (hours === undefined)
    return reject('CONVERT_TZ with a time zone that is not a literal offset', "Write '+00:00' or '+08:00'.");
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function resultOfDateShift(args: readonly Node[], to: Translator): Result {
  const [x, by] = [argumentAt(args, 0), argumentAt(args, 1)];
  return resultOfShift(x, by.kind === 'interval' ? unitOf(by) : 'DAY', to);
}

function readFormat(name: string, node: Node): string {
  return stringValue(node) ?? reject(`${name} with a format that is not a literal text`);
}

/**
 * Writes STR_TO_DATE. A pattern finds the values of the codes in the text, because MySQL allows spaces everywhere, ignores text after the
 * date, and accepts a text that ends before the time. DuckDB then reads these values.
 */
function writeStrToDate(args: readonly Node[], to: Translator): string {
  const { pattern, values, formats, date, time } = translateParseFormat(readFormat('STR_TO_DATE', argumentAt(args, 1)));
  const found = `regexp_replace(${writeText(argumentAt(args, 0), to)}, ${textLiteral(pattern)}, ${textLiteral(values)})`;
  const instant = `try_strptime(${found}, [${formats.map(textLiteral).join(', ')}])`;
  const read = formats[0]?.includes('%y') ? `mysql.with_century(${instant})` : instant;
  if (date && time) return read;
  return `CAST(${read} AS ${date ? 'DATE' : 'TIME'})`;
}

function resultOfStrToDate(args: readonly Node[]): Result {
  const { date, time } = translateParseFormat(readFormat('STR_TO_DATE', argumentAt(args, 1)));
  if (date && time) return 'datetime';
  return date ? 'date' : 'time';
}

/** Writes `DATE_FORMAT(x, format)`. `instant` is the DuckDB text of x as a TIMESTAMP. */
function writeDateFormat(instant: string, format: string): string {
  if (/(?<!%)(%%)*%$/.test(format)) reject(`The format ${format}, which ends with %,`);
  const pieces: string[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') pieces.push(`strftime(${instant}, ${textLiteral(plain)})`);
    plain = '';
  };
  for (const [code] of format.matchAll(/%?[\s\S]/g)) {
    const computed = COMPUTED_CODES[code];
    if (computed === undefined) {
      plain += FORMATS[code] ?? (code.length === 2 ? code.slice(1) : code);
    } else {
      flush();
      pieces.push(computed(instant));
    }
  }
  flush();
  if (pieces.length === 0) return 'CAST(NULL AS VARCHAR)';
  return pieces.length === 1 ? String(pieces[0]) : `(${pieces.join(' || ')})`;
}

/** A format of `STR_TO_DATE`, translated for `writeStrToDate`. */
interface ParseFormat {
  /** The pattern of a text with this format. Its groups are the values of the codes. */
  readonly pattern: string;
  /** The replacement that keeps only these values. */
  readonly values: string;
  /** The formats of DuckDB for these values: first for all of them, then for those of shorter texts. */
  readonly formats: readonly string[];
  /** Whether the result has a date and a time. */
  readonly date: boolean;
  readonly time: boolean;
}

function translateParseFormat(format: string): ParseFormat {
  const parts = [
    ...format
      .replaceAll('%T', '%H:%i:%s')
      .replaceAll('%r', '%I:%i:%s %p')
      .matchAll(/%?[\s\S]/g),
  ].map(([part]) => part);
  const codes = parts.filter((part) => part.length === 2);
  if (codes.length === 0) reject(`STR_TO_DATE with the format ${format}, which has no code,`);
  const unknown = codes.find((code) => !(code in PARSED_CODES));
  if (unknown !== undefined) reject(`The code ${unknown} of STR_TO_DATE`);
  const has = (some: ReadonlySet<string>) => codes.some((code) => some.has(code));
  const [date, time] = [has(DATE_CODES), has(TIME_CODES)];
  if (date && !isWholeDate(new Set(codes)))
    reject(`STR_TO_DATE with the format ${format}, which has no complete date,`);
  if (codes.includes('%p') && has(new Set(['%H', '%k']))) {
    reject('STR_TO_DATE with %p and an hour from 0 to 23', 'Write %h.');
  }
  const last = parts.findLastIndex((part) => DATE_CODES.has(part));
  const required =
    Math.max(
      last,
      parts.findIndex((part) => part in PARSED_CODES),
    ) + 1;
  const patterns = parts.map((part, index) => writePart(part, (parts[index + 1] ?? '') in PARSED_CODES));
  const needed = parts.slice(0, required).filter((part) => part in PARSED_CODES).length;
  const rest = patterns.slice(required).reduceRight((after, part) => `(?:\\s*$|${part}${after})`, '.*$');
  const formats = codes.map((code) => PARSED_CODES[code]?.[0] ?? '');
  return {
    pattern: `(?s)^${patterns.slice(0, required).join('')}${rest}`,
    values: codes.map((_, index) => `\\${index + 1}`).join(SEPARATOR),
    formats: formats
      .slice(needed)
      .map((_, index) => formats.map((code, place) => (place < formats.length - index ? code : '')).join(SEPARATOR))
      .concat(formats.map((code, place) => (place < needed ? code : '')).join(SEPARATOR)),
    date,
    time,
  };
}

/** Separates the values of the codes. No value contains this character. */
const SEPARATOR = '\u0001';

/**
 * Writes the pattern of a code, a space or another character of a format. Before another code, a number has all its digits or ends with a
 * word boundary, because MySQL does not leave digits for the next code.
 */
function writePart(part: string, isBeforeCode: boolean): string {
  const code = PARSED_CODES[part];
  const digits = /^\\d\{1,(\d)\}$/.exec(code?.[1] ?? '')?.[1];
  if (code !== undefined && isBeforeCode && digits !== undefined) {
    return `\\s*(\\d{${digits}}|${code[1]}\\b)`;
  }
  if (code !== undefined) return `\\s*(${code[1]})`;
  if (/^\s$/.test(part)) return '\\s*';
  return `\\s*${part.slice(-1).replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}`;
}

/** The codes of STR_TO_DATE: DuckDB's code, and the pattern of the values. */
const PARSED_CODES: Readonly<Record<string, readonly [code: string, pattern: string]>> = {
  '%Y': ['%Y', '\\d{4}'],
  '%y': ['%y', '\\d{1,2}'],
  '%m': ['%m', '\\d{1,2}'],
  '%c': ['%m', '\\d{1,2}'],
  '%M': ['%B', '[A-Za-z]+'],
  '%b': ['%b', '[A-Za-z]{3}'],
  '%d': ['%d', '\\d{1,2}'],
  '%e': ['%d', '\\d{1,2}'],
  '%j': ['%j', '\\d{1,3}'],
  '%W': ['%A', '[A-Za-z]+'],
  '%a': ['%a', '[A-Za-z]{3}'],
  '%H': ['%H', '\\d{1,2}'],
  '%k': ['%H', '\\d{1,2}'],
  '%h': ['%I', '\\d{1,2}'],
  '%I': ['%I', '\\d{1,2}'],
  '%l': ['%I', '\\d{1,2}'],
  '%i': ['%M', '\\d{1,2}'],
  '%s': ['%S', '\\d{1,2}'],
  '%S': ['%S', '\\d{1,2}'],
  '%f': ['%f', '\\d{1,6}'],
  '%p': ['%p', '[AaPp][Mm]'],
};

/**
 * Returns true if the format codes determine a complete date. For an incomplete date, MySQL returns NULL, but DuckDB
 * would use a default for the missing part.
 */
function isWholeDate(codes: ReadonlySet<string>): boolean {
  const has = (...some: readonly string[]) => some.some((code) => codes.has(code));
  return has('%Y', '%y') && (has('%j') || (has('%m', '%c', '%M', '%b') && has('%d', '%e')));
}

/** MySQL's format codes and the equal codes of DuckDB's strftime. */
const FORMATS: Readonly<Record<string, string>> = {
  '%Y': '%Y',
  '%y': '%y',
  '%m': '%m',
  '%c': '%-m',
  '%M': '%B',
  '%b': '%b',
  '%d': '%d',
  '%e': '%-d',
  '%j': '%j',
  '%H': '%H',
  '%k': '%-H',
  '%h': '%I',
  '%I': '%I',
  '%l': '%-I',
  '%i': '%M',
  '%s': '%S',
  '%S': '%S',
  '%f': '%f',
  '%p': '%p',
  '%T': '%H:%M:%S',
  '%r': '%I:%M:%S %p',
  '%W': '%A',
  '%a': '%a',
  '%w': '%w',
  '%U': '%U',
  '%v': '%V',
  '%x': '%G',
  '%%': '%%',
};

/** Codes without an equivalent in DuckDB: weeks by MySQL's rules, and the day with its English ordinal suffix. */
const COMPUTED_CODES: Readonly<Record<string, (instant: string) => string>> = {
  '%u': (instant) => writeTwoDigits(`mysql.week_1(${instant})`),
  '%V': (instant) => writeTwoDigits(`mysql.week_2(${instant})`),
  '%X': (instant) => `lpad(CAST(mysql.year_of_week_2(${instant}) AS VARCHAR), 4, '0')`,
  '%D': (instant) => `mysql.ordinal_day(${instant})`,
};

function writeTwoDigits(number: string): string {
  return `lpad(CAST(${number} AS VARCHAR), 2, '0')`;
}

const DATE_CODES = new Set(['%Y', '%y', '%m', '%c', '%M', '%b', '%d', '%e', '%j', '%W', '%a']);
const TIME_CODES = new Set(['%H', '%k', '%h', '%I', '%l', '%i', '%s', '%S', '%f', '%p']);
