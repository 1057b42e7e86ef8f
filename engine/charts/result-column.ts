import type { ColumnFormat, ColumnPresentation } from './column-presentation.js';

/** A column of a result. */
export interface ChartField extends ColumnPresentation {
  readonly name: string;
  /** The SQL type. */
  readonly columnType: string;
}

/** The columns of a result: `fields` of a `QuestionResult`. */
export type ChartFields = readonly ChartField[];
/** The rows of a result: `rows` of a `QuestionResult`. Wide numbers are text. */
export type ChartRows = readonly ChartRow[];
export type ChartRow = Readonly<Record<string, ChartCell>>;
export type ChartCell = string | number | null;

/** The content of a result column, as its declared format, or else its type, its name and its values indicate. */
export interface ResultColumn {
  readonly name: string;
  readonly isNumber: boolean;
  /** Whether the values are dates, times, years, or text in the form of a date, such as `2024-01`. */
  readonly isTime: boolean;
  /** Whether the values are country codes. */
  readonly isCountry: boolean;
  /** Whether the values are parts of one whole: shares that add up to 1, or percentages that add up to 100. */
  readonly isShare: boolean;
  /** Whether an axis can show the values. Ids, ranks and parts of dates are numbers but not measures. */
  readonly isMeasure: boolean;
  /** Whether no value is NULL or occurs twice, so that each value can label one row. */
  readonly isUnique: boolean;
  /** Whether the numbers are sorted from the highest to the lowest, as in a ranking. */
  readonly isDescending: boolean;
  readonly isLogin: boolean;
  readonly isRepo: boolean;
}

export function describeColumns(fields: ChartFields, rows: ChartRows): ResultColumn[] {
  return fields.map(({ name, columnType, format }) => {
    const values = rows.map((row) => cellOf(row, name));
    const present = values.filter((value) => value !== null);
    const isNumber = NUMBER_TYPES.has(columnType.toUpperCase()) && present.every(isNumeric);
    const isTime = isTimeColumn(name, columnType.toUpperCase(), present);
    const isText = !isNumber && !isTime;
    return {
      name,
      isNumber,
      isTime,
      isCountry: isText && COUNTRY_NAME.test(name) && matchAll(present, COUNTRY),
      isShare: isNumber && (isShareFormat(format) ?? SHARE_NAME.test(name)) && isWhole(present.map(Number)),
      isMeasure: isNumber && !isTime && (isMeasureFormat(format) ?? !NOT_A_MEASURE.test(name)),
      isUnique: present.length === rows.length && new Set(present).size === present.length,
      isDescending: isNumber && isDescending(present.map(Number)),
      isLogin: isText && LOGIN_NAME.test(name) && matchAll(present, LOGIN),
      isRepo: isText && REPO_NAME.test(name) && matchAll(present, REPO),
    };
  });
}

/** Adds what the columns of a definition declare about themselves to the columns of its answer. */
export function addPresentation<Field extends ChartField>(
  fields: readonly Field[],
  declared: readonly ChartField[],
): readonly Field[] {
  const byName = new Map(declared.map((field) => [field.name, field]));
  return fields.map((field) => ({ ...byName.get(field.name), ...field }));
}

/** Returns the cell of a column. Members that every JavaScript object inherits, such as `constructor`, are not columns. */
export function cellOf(row: ChartRow, name: string): ChartCell {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/** Types of the database whose values are numbers. */
export const NUMBER_TYPES = new Set([
  ...['BIGINT', 'UNSIGNED BIGINT', 'INT', 'TINYINT', 'MEDIUMINT', 'SMALLINT', 'YEAR'],
  ...['DECIMAL', 'DOUBLE', 'FLOAT'],
]);
const TIME_TYPES = new Set(['DATE', 'DATETIME', 'TIMESTAMP', 'YEAR']);
const TEXT_TYPES = new Set(['CHAR', 'VARCHAR', 'TEXT', 'TINYTEXT', 'MEDIUMTEXT', 'LONGTEXT']);

const NUMBER = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i;
/** A year, a month, a day or a time of a day. */
const TIME = /^\d{4}(-\d\d(-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?)?)?$/;
const YEAR = /^(19|20)\d\d$/;
const YEAR_NAME = /(^|_)year$/i;
/** Codes of ISO 3166-1, and the values that this service uses for an unknown country. */
const COUNTRY = /^([A-Z]{2,3}|UNKNOWN|N\/A)$/;
const COUNTRY_NAME = /(^|_)country(_code|_or_area)?$/i;
const SHARE_NAME = /(^|_)(percent|percentage|pct|share|ratio|proportion)($|_)/i;
/** Column names for logins of people. Owners and organizations are excluded. */
const LOGIN_NAME = /^((user|actor|author|creator|creator_user|contributor)_)?login$/i;
const LOGIN = /^[A-Za-z0-9][\w-]{0,99}(\[bot\])?$/;
const REPO_NAME = /^(repo_name|repository|repository_name|full_name|repo)$/i;
const REPO = /^[\w.-]{1,100}\/[\w.-]{1,140}$/;
const NOT_A_MEASURE = /(^|_)(id|number|rank|year|quarter|month|week|weekday|day|hour)(_of_\w+)?$/i;

/** The allowed difference between the sum of shares and the whole, because shares are rounded. */
const ROUNDING = 0.02;

function isShareFormat(format: ColumnFormat | undefined): boolean | undefined {
  return format === undefined ? undefined : format === 'share' || format === 'percent';
}

function isMeasureFormat(format: ColumnFormat | undefined): boolean | undefined {
  return format === undefined ? undefined : format !== 'id' && format !== 'yes-no';
}

export function isNumeric(value: string | number): boolean {
  return typeof value === 'number' || NUMBER.test(value);
}

function isTimeColumn(name: string, type: string, values: readonly (string | number)[]): boolean {
  if (TIME_TYPES.has(type)) return true;
  if (TEXT_TYPES.has(type)) return matchAll(values, TIME);
  return NUMBER_TYPES.has(type) && YEAR_NAME.test(name) && matchAll(values, YEAR);
}

function matchAll(values: readonly (string | number)[], pattern: RegExp): boolean {
  return values.length > 0 && values.every((value) => pattern.test(String(value)));
}

function isWhole(values: readonly number[]): boolean {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.every((value) => value >= 0) && [1, 100].some((whole) => Math.abs(sum / whole - 1) <= ROUNDING);
}

function isDescending(values: readonly number[]): boolean {
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  return first > last && values.every((value, index) => index === 0 || value <= (values[index - 1] ?? value));
}
