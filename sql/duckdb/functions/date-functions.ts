import { asClock, asDay, asInstant } from '../tree/instants.js';
import { intervalText, shifted, shiftedResult, unitOf } from '../tree/intervals.js';
import { integerValue, stringValue } from '../tree/literals.js';
import { type Node, nameOf, quoted, type Result, refuse, type Translator } from '../tree/tree.js';
import { formatted, parsing } from './date-format.js';
import { argument, asText, type FunctionRule, type FunctionRules, plain, rule } from './function-rule.js';

/** Functions on dates and times. Text that is no date counts as NULL; every time is UTC. */
export const DATE_FUNCTIONS: FunctionRules = {
  NOW: plain('datetime', 0, 1, (digits) => now(digits)),
  UTC_DATE: plain('date', 0, 0, () => 'CAST(mysql.now() AS DATE)'),
  UTC_TIME: plain('time', 0, 0, () => "CAST(date_trunc('second', mysql.now()) AS TIME)"),
  DATE: onDay('date', (x) => x),
  TIME: onClock('time', (x) => x),
  TIMESTAMP: onDate('datetime', (x) => x),
  YEAR: onDate('number', (x) => `year(${x})`),
  QUARTER: onDate('number', (x) => `quarter(${x})`),
  MONTH: onDate('number', (x) => `month(${x})`),
  DAY: onDate('number', (x) => `day(${x})`),
  HOUR: onClock('number', (x) => `hour(${x})`),
  MINUTE: onClock('number', (x) => `minute(${x})`),
  SECOND: onClock('number', (x) => `second(${x})`),
  MICROSECOND: onClock('number', (x) => `microsecond(${x}) % 1000000`),
  DAYOFWEEK: onDate('number', (x) => `dayofweek(${x}) + 1`),
  WEEKDAY: onDate('number', (x) => `isodow(${x}) - 1`),
  DAYOFYEAR: onDate('number', (x) => `dayofyear(${x})`),
  WEEK: rule('number', 1, 2, (args, to) => `mysql.week_${weekMode(args, [0, 1, 2, 3, 5])}(${instantOf(args, to)})`),
  WEEKOFYEAR: onDate('number', (x) => `mysql.week_3(${x})`),
  YEARWEEK: rule('number', 1, 2, yearWeek),
  DAYNAME: onDate('text', (x) => `dayname(${x})`),
  MONTHNAME: onDate('text', (x) => `monthname(${x})`),
  LAST_DAY: onDay('date', (x) => `last_day(${x})`),
  TO_DAYS: onDay('number', (x) => `mysql.days_since_year_0(${x})`),
  FROM_DAYS: plain('date', 1, 1, (n) => `mysql.date_of_days(${n})`),
  MAKEDATE: plain('date', 2, 2, (year, day) => `mysql.date_of_year_day(${year}, ${day})`),
  DATEDIFF: rule('number', 2, 2, (args, to) => {
    const [a, b] = [asDay(argument(args, 0), to), asDay(argument(args, 1), to)];
    return `CAST(${a} - ${b} AS BIGINT)`;
  }),
  TIMESTAMPDIFF: rule('number', 3, 3, difference),
  TIMESTAMPADD: {
    ...rule('unknown', 3, 3, (args, to) => {
      const unit = unitOf(nameOf(argument(args, 0).fields.name));
      return shifted(argument(args, 2), intervalText(argument(args, 1), unit, to), unit, '+', to);
    }),
    resultOf: (args, to) => shiftedResult(argument(args, 2), unitOf(nameOf(argument(args, 0).fields.name)), to),
  },
  ADDDATE: { ...rule('unknown', 2, 2, (args, to) => moved(args, '+', to)), resultOf: movedResult },
  SUBDATE: { ...rule('unknown', 2, 2, (args, to) => moved(args, '-', to)), resultOf: movedResult },
  UNIX_TIMESTAMP: rule('number', 0, 1, (args, to) => {
    const instant = args[0] === undefined ? 'mysql.now()' : asInstant(args[0], to);
    return `mysql.unix_seconds(${instant})`;
  }),
  FROM_UNIXTIME: {
    ...rule('unknown', 1, 2, (args, to) => {
      const instant = `mysql.of_unix_seconds(${first(args, to)})`;
      return args[1] === undefined ? instant : formatted(instant, literalFormat('FROM_UNIXTIME', args[1]));
    }),
    resultOf: (args) => (args[1] === undefined ? 'datetime' : 'text'),
  },
  DATE_FORMAT: rule('text', 2, 2, (args, to) =>
    formatted(instantOf(args, to), literalFormat('DATE_FORMAT', argument(args, 1))),
  ),
  STR_TO_DATE: { ...rule('unknown', 2, 2, parsed), resultOf: parsedResult },
  TO_SECONDS: onDate('number', (x) => `(epoch_us(${x}) // 1000000 + 62167219200)`),
  TIME_TO_SEC: onClock('number', (x) => `CAST(trunc(epoch(${x})) AS BIGINT)`),
  SEC_TO_TIME: plain('time', 1, 1, (n) => `mysql.time_of_seconds(${n})`),
  CONVERT_TZ: rule('datetime', 3, 3, (args, to) => {
    const minutes = offsetOf(argument(args, 2)) - offsetOf(argument(args, 1));
    return `(${instantOf(args, to)} + INTERVAL (${minutes}) MINUTE)`;
  }),
  PERIOD_ADD: plain('number', 2, 2, (p, n) => `mysql.period_of_months(mysql.months_of_period(${p}) + ${n})`),
  PERIOD_DIFF: plain('number', 2, 2, (a, b) => `(mysql.months_of_period(${a}) - mysql.months_of_period(${b}))`),
};

/** `EXTRACT(unit FROM x)`. */
export function extracted(unit: string, x: Node, to: Translator): string {
  const joined = { YEAR_MONTH: ['YEAR', 'MONTH'] }[unit];
  const names = joined ?? [unit];
  const values = names.map((name) => {
    const found = EXTRACTED.has(name) ? DATE_FUNCTIONS[name] : undefined;
    return found?.write([x], to) ?? refuse(`EXTRACT(${unit} FROM …)`);
  });
  return values.reduce((whole, next) => `(${whole} * 100 + ${next})`);
}

const EXTRACTED = new Set(['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MICROSECOND']);

function onDate(result: Result, write: (instant: string) => string): FunctionRule {
  return rule(result, 1, 1, (args, to) => write(asInstant(argument(args, 0), to)));
}

function onDay(result: Result, write: (day: string) => string): FunctionRule {
  return rule(result, 1, 1, (args, to) => write(asDay(argument(args, 0), to)));
}

function onClock(result: Result, write: (clock: string) => string): FunctionRule {
  return rule(result, 1, 1, (args, to) => write(asClock(argument(args, 0), to)));
}

function instantOf(args: readonly Node[], to: Translator): string {
  return asInstant(argument(args, 0), to);
}

function first(args: readonly Node[], to: Translator): string {
  return to.value(argument(args, 0));
}

function now(digits = '0'): string {
  const unit = { 0: 'second', 3: 'millisecond', 6: 'microsecond' }[digits];
  return unit === undefined
    ? refuse(`NOW(${digits})`, 'Write 0, 3 or 6 digits.')
    : `date_trunc('${unit}', mysql.now())`;
}

/** The mode is 0 unless it is given: MySQL takes it from a setting whose usual value is 0. */
function weekMode(args: readonly Node[], known: readonly number[]): number {
  const mode = args[1] === undefined ? 0 : integerValue(args[1]);
  return mode !== undefined && known.includes(mode)
    ? mode
    : refuse('This mode of a week', `Known: ${known.join(', ')}.`);
}

function yearWeek(args: readonly Node[], to: Translator): string {
  const x = instantOf(args, to);
  return weekMode(args, [0, 1, 2, 3]) % 2 === 0
    ? `(mysql.year_of_week_2(${x}) * 100 + mysql.week_2(${x}))`
    : `(isoyear(${x}) * 100 + mysql.week_3(${x}))`;
}

/** Counts whole units, towards zero. */
function difference(args: readonly Node[], to: Translator): string {
  const unit = unitOf(nameOf(argument(args, 0).fields.name));
  const [a, b] = [asInstant(argument(args, 1), to), asInstant(argument(args, 2), to)];
  const months = MONTHS_IN[unit];
  return months === undefined
    ? `(mysql.micros_between(${a}, ${b}) // ${MICROS_IN[unit] ?? refuse(`TIMESTAMPDIFF(${unit}, …)`)})`
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

/** `ADDDATE(x, INTERVAL n unit)`, or a number of days. */
function moved(args: readonly Node[], sign: '+' | '-', to: Translator): string {
  const [x, by] = [argument(args, 0), argument(args, 1)];
  if (by.kind !== 'interval') return shifted(x, intervalText(by, 'DAY', to), 'DAY', sign, to);
  return shifted(x, to.value(by), unitOf(by), sign, to);
}

/** Minutes east of UTC. A zone by name needs tables that servers seldom have. */
function offsetOf(node: Node): number {
  const [, sign, hours, minutes] = /^([-+])(\d{1,2}):([0-5]\d)$/.exec(stringValue(node) ?? '') ?? [];
  if (hours === undefined)
    return refuse('CONVERT_TZ of a zone that is not a literal offset', "Write '+00:00' or '+08:00'.");
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function movedResult(args: readonly Node[], to: Translator): Result {
  const [x, by] = [argument(args, 0), argument(args, 1)];
  return shiftedResult(x, by.kind === 'interval' ? unitOf(by) : 'DAY', to);
}

function literalFormat(name: string, node: Node): string {
  return stringValue(node) ?? refuse(`${name} with a format that is not a literal text`);
}

function parsed(args: readonly Node[], to: Translator): string {
  const { format, date, time } = parsing(literalFormat('STR_TO_DATE', argument(args, 1)));
  const read = `try_strptime(${asText(argument(args, 0), to)}, ${quoted(format)})`;
  if (date && time) return read;
  return `CAST(${read} AS ${date ? 'DATE' : 'TIME'})`;
}

function parsedResult(args: readonly Node[]): Result {
  const { date, time } = parsing(literalFormat('STR_TO_DATE', argument(args, 1)));
  if (date && time) return 'datetime';
  return date ? 'date' : 'time';
}
