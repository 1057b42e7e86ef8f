/** A column type, with the DuckDB SQL that checks and converts the texts in a file. */
export interface ColumnType {
  /** The type in the MySQL dialect. */
  readonly sql: string;
  /** A description of valid values, for messages. */
  readonly expected: string;
  /** The number of bytes that count against the maximum row size of a server. */
  readonly rowBytes: number;
  /** The number of bytes that count against the maximum key size; undefined if the column cannot be in a key. */
  readonly keyBytes: number | undefined;
  /** Returns a condition that is true if a text is a value of the type without any loss. */
  isValid(text: string): string;
  /** Returns the expression that converts a valid text to a value. */
  toValue(text: string): string;
}

/** Parses a type such as `VARCHAR(40)`; undefined if its size is out of range. */
export function readColumnType(text: string): ColumnType | undefined {
  const [, name = '', first, second] = /^([A-Z]+)(?:\((\d+)(?:, ?(\d+))?\))?$/.exec(text) ?? [];
  if (name === 'VARCHAR') return varchar(Number(first));
  if (name === 'DECIMAL') return decimal(Number(first), Number(second));
  return SIMPLE_TYPES[name];
}

/** `1.0` is also an integer: programs write the integers of a column with missing values in this form. */
const isInteger = matches('[+-]?[0-9]+(\\.0*)?');

function integer(sql: string, duckdbType: string, bits: number): ColumnType {
  const limit = 2n ** BigInt(bits - 1);
  const toValue = (text: string) => `TRY_CAST(regexp_replace(${text}, '\\.0*$', '') AS ${duckdbType})`;
  return {
    sql,
    expected: `an integer from ${-limit} to ${limit - 1n}`,
    rowBytes: bits / 8,
    keyBytes: bits / 8,
    isValid: (text) => `${isInteger(text)} AND ${toValue(text)} IS NOT NULL`,
    toValue,
  };
}

function decimal(precision: number, scale: number): ColumnType | undefined {
  if (precision > MAX_PRECISION || scale > Math.min(precision, MAX_SCALE)) return undefined;
  const sql = `DECIMAL(${precision}, ${scale})`;
  const toValue = (text: string) => `TRY_CAST(${text} AS ${sql})`;
  // A cast would round further digits, so they are only allowed if they are 0.
  const hasScale = matches(`[+-]?([0-9]+(\\.[0-9]{0,${scale}}0*)?|\\.[0-9]{1,${Math.max(1, scale)}}0*)`);
  return {
    sql,
    expected: `a number with at most ${precision - scale} digits before and ${scale} after the decimal point`,
    rowBytes: precision,
    keyBytes: precision,
    isValid: (text) => `${hasScale(text)} AND ${toValue(text)} IS NOT NULL`,
    toValue,
  };
}

/** The smaller limits of DuckDB and MySQL. */
const MAX_PRECISION = 38;
const MAX_SCALE = 30;

function varchar(length: number): ColumnType | undefined {
  if (length > MAX_VARCHAR) return undefined;
  return {
    sql: `VARCHAR(${length})`,
    expected: `text of at most ${length} characters`,
    rowBytes: BYTES_PER_CHARACTER * length + 2,
    keyBytes: BYTES_PER_CHARACTER * length,
    isValid: (text) => `length(${text}) <= ${length}`,
    toValue: (text) => text,
  };
}

const BYTES_PER_CHARACTER = 4;
const MAX_VARCHAR = 16_000;
const MAX_TEXT_BYTES = 65_535;

const DATE_TEXT = '[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}';
const TIME_TEXT = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.0+)?)?';

function time(sql: string, duckdbType: string, pattern: string, expected: string): ColumnType {
  const toValue = (text: string) => `TRY_CAST(${text} AS ${duckdbType})`;
  const hasForm = matches(pattern);
  const isValid = (text: string) => `${hasForm(text)} AND ${toValue(text)} IS NOT NULL`;
  return { sql, expected, rowBytes: 8, keyBytes: 8, isValid, toValue };
}

const SIMPLE_TYPES: Readonly<Record<string, ColumnType>> = {
  BOOLEAN: {
    sql: 'TINYINT',
    expected: 'true, false, 1 or 0',
    rowBytes: 1,
    keyBytes: 1,
    isValid: (text) => `lower(${text}) IN ('true', 'false', '1', '0')`,
    toValue: (text) => `(lower(${text}) IN ('true', '1'))::TINYINT`,
  },
  TINYINT: integer('TINYINT', 'TINYINT', 8),
  INT: integer('INT', 'INTEGER', 32),
  BIGINT: integer('BIGINT', 'BIGINT', 64),
  DOUBLE: {
    sql: 'DOUBLE',
    expected: 'a number',
    rowBytes: 8,
    keyBytes: undefined,
    isValid: (text) => `${isDouble(text)} AND isfinite(TRY_CAST(${text} AS DOUBLE))`,
    toValue: (text) => `TRY_CAST(${text} AS DOUBLE)`,
  },
  TEXT: {
    sql: 'TEXT',
    expected: `text of at most ${MAX_TEXT_BYTES} bytes`,
    rowBytes: 12,
    keyBytes: undefined,
    isValid: (text) => `strlen(${text}) <= ${MAX_TEXT_BYTES}`,
    toValue: (text) => text,
  },
  DATE: time('DATE', 'DATE', DATE_TEXT, 'a date as YYYY-MM-DD'),
  // DuckDB ignores an offset, so only the offset of UTC is allowed.
  DATETIME: time(
    'DATETIME',
    'TIMESTAMP',
    `${DATE_TEXT}([ T]${TIME_TEXT}(Z|\\+00(:?00)?)?)?`,
    'a time in UTC as YYYY-MM-DD hh:mm:ss without fractions of a second',
  ),
};

function isDouble(text: string): string {
  return matches('[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?')(text);
}

function matches(pattern: string): (text: string) => string {
  return (text) => `regexp_full_match(${text}, '${pattern}')`;
}
