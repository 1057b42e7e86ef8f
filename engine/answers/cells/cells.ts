import { type DataType, INTEGERS } from '../../databases/interface/data-types.js';
import type { Cell, ResultSet } from '../../databases/interface/database.js';
import type { ColumnDefinition, EndpointDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { childrenOf, groupRows } from '../../definitions/endpoint/nesting.js';
import { ADDED_COLUMN } from '../../sql/paging/page-order.js';

/** Writes one cell as text in the format of its declared type. Throws a `TypeError` if the cell does not fit the type. */
export type CellWriter = (cell: Cell) => string;

/** A value of JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Writes one cell as a native JSON value. */
export type NativeCellWriter = (cell: Cell) => JsonValue;

/** The part of a column that determines the format of its cells. */
export type WrittenColumn = Pick<ColumnDefinition, 'col' | 'data_type' | 'scale'>;

/** Types whose cells can have a fraction. */
export const FRACTIONS: ReadonlySet<DataType> = new Set<DataType>(['DECIMAL', 'DOUBLE', 'FLOAT']);

/** Whether the cells of a type are numbers. */
export function isNumeric(type: DataType): boolean {
  return INTEGERS.has(type) || FRACTIONS.has(type);
}

/** Creates the cell writer for envelopes with text cells. It keeps all digits and writes NULL as an empty text. */
export function createTextWriter(column: ColumnDefinition): CellWriter {
  const write = writerOf(column);
  return (cell) => (cell === null ? '' : write(cell));
}

/**
 * Creates the cell writer for envelopes with native JSON values. Integers up to 2^53 and decimals with up to 15 digits
 * are numbers, because a double holds them exactly; larger ones are text. Floating point numbers are numbers. JSON is its
 * value, in which numbers with more digits are also text. All other types are text.
 */
export function createNativeWriter(column: WrittenColumn): NativeCellWriter {
  if (column.data_type !== 'JSON') return createScalarWriter(column);
  return (cell) => (cell === null ? null : readJson(String(cell), column));
}

/** Like `createNativeWriter`, but JSON is text. */
export function createScalarWriter(column: WrittenColumn): (cell: Cell) => string | number | null {
  const write = writerOf(column);
  if (INTEGERS.has(column.data_type)) {
    return (cell) => {
      if (cell === null) return null;
      const text = write(cell);
      const number = Number(text);
      return Number.isSafeInteger(number) ? number : text;
    };
  }
  if (FRACTIONS.has(column.data_type)) {
    const isExact = column.data_type === 'DECIMAL';
    return (cell) => {
      if (cell === null) return null;
      const text = write(cell);
      return isExact && countDigits(text) > EXACT_LENGTH ? text : Number(text);
    };
  }
  return (cell) => (cell === null ? null : write(cell));
}

/** Reads the text of a JSON cell. Numbers that a double does not hold exactly become text. Throws a `TypeError` if it is not JSON. */
function readJson(text: string, { col }: WrittenColumn): JsonValue {
  const exact = text.replaceAll(JSON_TOKEN, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${token}"`,
  );
  try {
    return JSON.parse(exact) as JsonValue;
  } catch {
    throw new TypeError(`column ${col} is declared as JSON, the database returned ${text.slice(0, MAX_SHOWN)}`);
  }
}

/** A text or a number in JSON. The pattern has no alternatives per character, which would exceed the stack for long texts. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MAX_SHOWN = 100;

function isExact(number: string): boolean {
  const value = Number(number);
  if (/^-?\d+$/.test(number)) return Number.isSafeInteger(value);
  const [digits = ''] = number.split(/e/i);
  return Number.isFinite(value) && countDigits(digits) <= EXACT_LENGTH;
}

/** Returns the number of digits of a number without exponent, without zeros before the first other digit. */
function countDigits(number: string): number {
  return number.replaceAll(/\D/g, '').replace(/^0+/, '').length;
}

/** Converts a cell without a declared type, for example in a query plan. */
export function toNativeValue(cell: Cell): string | number | null {
  return typeof cell === 'bigint' ? (Number.isSafeInteger(Number(cell)) ? Number(cell) : `${cell}`) : cell;
}

/**
 * Rounds a decimal number that is given as text; halves are rounded away from zero. The number is not converted to a
 * binary fraction. `roundDecimal('2.345', 2)` returns `'2.35'`.
 */
export function roundDecimal(text: string, scale: number): string {
  const isRound = scale > 0 && text[text.length - scale - 1] === '.' && text >= '0';
  if (isRound) return text;
  const [, sign = '', whole = '0', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  const truncated = `${whole === '' ? '0' : whole}${fraction.slice(0, scale).padEnd(scale, '0')}`;
  const increment = (fraction[scale] ?? '0') >= '5' ? 1n : 0n;
  const digits = (BigInt(truncated) + increment).toString().padStart(scale + 1, '0');
  const rounded = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return sign === '-' && /[1-9]/.test(rounded) ? `-${rounded}` : rounded;
}

/**
 * Whether a text is a decimal number with exactly `scale` digits after the point, no superfluous zeros before it, and
 * no minus before a zero. Such a text does not change when it is rounded. This is a loop because it is faster than a
 * regular expression, and answers can have millions of cells.
 */
export function isScaledDecimal(text: string, scale: number): boolean {
  const point = scale === 0 ? text.length : text.length - scale - 1;
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (point <= first || (scale > 0 && text.charCodeAt(point) !== POINT)) return false;
  if (text.charCodeAt(first) === ZERO && point > first + 1) return false;
  let allBits = 0;
  for (let index = first; index < text.length; index += 1) {
    if (index === point) continue;
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return false;
    allBits |= digit;
  }
  return first === 0 || allBits !== 0;
}

const [MINUS, POINT, ZERO] = [45, 46, 48];

/**
 * Returns the same text as `String`, but uses less memory. V8 caches the texts that `String` returns for numbers other
 * than 32-bit integers until a full garbage collection: about 30 MB for a million different fractions.
 */
export function numberText(value: number): string {
  return (value | 0) === value || !Number.isFinite(value) ? String(value) : JSON.stringify(value);
}

const PLAIN_DECIMAL = /^[+-]?\d+(\.\d+)?$/;

function writerOf({ col, data_type, scale }: WrittenColumn): (cell: NonNullable<Cell>) => string {
  const mismatch = (cell: Cell) =>
    new TypeError(`column ${col} is declared as ${data_type}, the database returned ${cell}`);
  if (INTEGERS.has(data_type)) {
    return (cell) => {
      if (typeof cell === 'bigint') return cell.toString();
      if (Number.isSafeInteger(cell)) return numberText(cell as number);
      if (typeof cell === 'number' && Number.isInteger(cell)) return BigInt(cell).toString();
      // The database returns a sum of integers as a DECIMAL, whose text can end with `.0`.
      const text = String(cell).replace(/\.0+$/, '');
      if (!/^-?\d+$/.test(text)) throw mismatch(cell);
      return text;
    };
  }
  if (FRACTIONS.has(data_type)) {
    return (cell) => {
      if (typeof cell === 'number') return writeNumber(cell, scale);
      if (scale !== undefined && typeof cell === 'string' && isScaledDecimal(cell, scale)) return cell;
      const text = cell.toString();
      if (PLAIN_DECIMAL.test(text)) return scale === undefined ? text : roundDecimal(text, scale);
      if (text === '' || !Number.isFinite(Number(text))) throw mismatch(cell);
      return writeNumber(Number(text), scale);
    };
  }
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') {
    return (cell) => {
      const text = String(cell);
      return text.length === 10 ? `${text} 00:00:00` : text.slice(0, 19);
    };
  }
  return data_type === 'DATE' ? (cell) => String(cell).slice(0, 10) : String;
}

/** Rounds the exact binary value; halves are rounded away from zero, as `toFixed` does. Minus zero is written as zero. */
function writeNumber(value: number, scale: number | undefined): string {
  if (scale === undefined || Math.abs(value) >= 1e21) return numberText(value);
  const text = value.toFixed(scale);
  return text.startsWith('-') && !/[1-9]/.test(text) ? text.slice(1) : text;
}

type Rows = readonly (readonly Cell[])[];
export type TextRow = Record<string, string>;
export type NativeRow = Record<string, JsonValue>;

/** Writes rows as objects of text cells. */
export function writeTextRows({ definition }: Endpoint, rows: Rows): TextRow[] {
  return writeRows(writersOf(textWriters, definition.columns, createTextWriter), rows);
}

/** Writes rows as objects of text cells. A cell that does not fit its declared type is written as the database returned it. */
export function writePlainRows({ definition }: Endpoint, rows: Rows): TextRow[] {
  return writeRows(writersOf(plainWriters, definition.columns, createPlainWriter), rows);
}

function createPlainWriter(column: ColumnDefinition): (cell: Cell) => string {
  const write = createTextWriter(column);
  return (cell) => {
    try {
      return write(cell);
    } catch {
      return String(cell);
    }
  };
}

/** Writes rows as objects of native JSON values. */
export function writeNativeRows({ definition }: Endpoint, rows: Rows): NativeRow[] {
  return writeRows(writersOf(nativeWriters, definition.columns, createNativeWriter), rows);
}

/** Writes rows as objects of native JSON values. With `nest`, each parent is one object with the list of its children. */
export function writeNestedRows(endpoint: Endpoint, rows: Rows): NativeRow[] {
  const { nesting, definition } = endpoint;
  if (nesting === undefined) return writeNativeRows(endpoint, rows);
  const writers = writersOf(nativeWriters, definition.columns, createNativeWriter);
  const write = (cells: Rows[number] = [], places: readonly number[]): NativeRow =>
    Object.fromEntries(
      places.map((place) => {
        const writer = writers[place] as Writers<JsonValue>[number];
        return [writer.col, writer.write(cells[place] ?? null)];
      }),
    );
  return groupRows(nesting, rows).map((group) => ({
    ...write(group[0], nesting.parentColumns),
    [nesting.list]: childrenOf(nesting, group).map((cells) => write(cells, nesting.childColumns)),
  }));
}

/** Throws if the columns of a result differ from the declared columns. */
export function requireColumns({ definition }: Endpoint, { columns }: Pick<ResultSet, 'columns'>): void {
  const names = columns.map(({ name }) => name);
  const difference = findColumnDifference(definition, names);
  if (difference !== undefined) throw new Error(difference);
}

/**
 * Describes how column names of the database differ from the declared ones, for example for `SELECT *`; undefined if they are equal. Upper
 * and lower case are ignored, because DuckDB returns the name of the table's column, and MySQL the name in the query.
 */
export function findColumnDifference({ columns }: EndpointDefinition, all: readonly string[]): string | undefined {
  const names = all.filter((name, index) => index < columns.length || !ADDED_COLUMN.test(name));
  if (names.length === columns.length && columns.every(({ col }, index) => isSameName(names[index], col)))
    return undefined;
  const declared = columns.map(({ col }) => col).join(', ');
  return `the database returned other columns than declared: expected ${declared}, got ${names.join(', ')}`;
}

/** Whether a column of a result is a declared column, see `findColumnDifference`. */
export function isSameName(name: string | undefined, declared: string): boolean {
  return name === declared || name?.toLowerCase() === declared.toLowerCase();
}

type Writers<Value> = readonly { readonly col: string; readonly write: (cell: Cell) => Value }[];
type Columns = readonly ColumnDefinition[];

const plainWriters = new WeakMap<Columns, Writers<string>>();
const textWriters = new WeakMap<Columns, Writers<string>>();
const nativeWriters = new WeakMap<Columns, Writers<JsonValue>>();

/** Returns the cell writers for the columns of an endpoint. They are created once per endpoint. */
function writersOf<Value>(
  known: WeakMap<Columns, Writers<Value>>,
  columns: Columns,
  createWriter: (column: ColumnDefinition) => (cell: Cell) => Value,
): Writers<Value> {
  const existing = known.get(columns);
  if (existing !== undefined) return existing;
  const writers = columns.map((column) => ({ col: column.col, write: createWriter(column) }));
  known.set(columns, writers);
  return writers;
}

function writeRows<Value>(writers: Writers<Value>, rows: Rows): Record<string, Value>[] {
  return rows.map((cells) => {
    const row: Record<string, Value> = {};
    for (let index = 0; index < writers.length; index += 1) {
      const writer = writers[index];
      if (writer !== undefined) row[writer.col] = writer.write(cells[index] ?? null);
    }
    return row;
  });
}

/**
 * Creates the writer of the JSON text of native values, see `createNativeWriter`. Frequent kinds of cells are written
 * by faster code with the same result, because an answer can have millions of cells.
 */
export function createJsonWriter(column: WrittenColumn): (cell: Cell) => string {
  const { data_type, scale } = column;
  const write = createNativeWriter(column);
  const writeAny = (cell: Cell) => (cell === null ? 'null' : JSON.stringify(write(cell)));
  if (INTEGERS.has(data_type))
    return (cell) => (Number.isSafeInteger(cell) ? numberText(cell as number) : writeAny(cell));
  if (data_type === 'DECIMAL' && scale !== undefined && scale <= MAX_PLAIN_SCALE) {
    return (cell) =>
      typeof cell === 'string' && cell.length <= EXACT_LENGTH && isScaledDecimal(cell, scale)
        ? withoutZeros(cell, scale)
        : writeAny(cell);
  }
  if (isNumeric(data_type)) {
    // A DECIMAL that the driver returns as a floating point number can have too many digits for a JSON number.
    const isPlain = scale === undefined && data_type !== 'DECIMAL';
    return (cell) => (isPlain && Number.isFinite(cell) ? numberText(cell as number) : writeAny(cell));
  }
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') {
    return (cell) => (typeof cell === 'string' && cell.length === TIME_LENGTH ? `"${cell}"` : writeAny(cell));
  }
  if (data_type === 'DATE' || data_type === 'JSON') return writeAny;
  return (cell) => (typeof cell === 'string' && !NEEDS_ESCAPE.test(cell) ? `"${cell}"` : writeAny(cell));
}

/** The maximum number of decimals: JSON.stringify writes numbers below 0.000001 with an exponent. */
const MAX_PLAIN_SCALE = 6;
/** A double represents each decimal with up to 15 digits exactly. The point and the sign are additional characters. */
const EXACT_LENGTH = 15;
/** The length of `YYYY-MM-DD HH:MM:SS`. */
const TIME_LENGTH = 19;
/** Characters that may need an escape in JSON: quotes, backslashes, control characters, and halves of surrogate pairs. */
const NEEDS_ESCAPE = /["\\]|[^ -\ud7ff]/;

/** Removes zeros at the end of a fraction, and the point if no digit follows it, because JSON numbers are written without them. */
function withoutZeros(text: string, scale: number): string {
  if (scale === 0) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  if (text[end - 1] === '.') end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

type Schema = Record<string, unknown>;

/** Returns the JSON Schema of a text cell, see `createTextWriter`: always a string, which is empty for NULL. */
export function createTextCellSchema({ nullable, description, ...column }: ColumnDefinition): Schema {
  const pattern = textPattern(column);
  if (pattern === undefined) return { type: 'string', description };
  return { type: 'string', description, pattern: nullable ? `^(${pattern})?$` : `^${pattern}$` };
}

/**
 * Returns the JSON Schema of a native cell, see `createNativeWriter`. A schema with two types has a title, so that the
 * API description defines it once and refers to it by this title.
 */
export function createNativeCellSchema({ data_type, nullable, description }: ColumnDefinition): Schema {
  const exact = EXACT[data_type];
  if (exact !== undefined) {
    const title = `${exact.title}${nullable ? 'OrNull' : ''}`;
    return { description, allOf: [{ ...exact, title, type: nullable ? [...exact.type, 'null'] : exact.type }] };
  }
  if (data_type === 'JSON') return { description: `${description}${JSON_NOTE}` };
  const type = INTEGERS.has(data_type) ? 'integer' : FRACTIONS.has(data_type) ? 'number' : 'string';
  return { type: nullable ? [type, 'null'] : type, description };
}

/** The end of the description of a JSON column in schemas. */
export const JSON_NOTE = ' (a JSON value; numbers with more than 15 digits are texts)';

/** Returns the JSON Schemas of the members of a row, see `writeNestedRows`. */
export function createNativeRowProperties(
  definition: Pick<EndpointDefinition, 'columns' | 'nest'>,
): Readonly<Record<string, Schema>> {
  const { columns, nest } = definition;
  const propertiesOf = (some: Columns) =>
    Object.fromEntries(some.map((column) => [column.col, createNativeCellSchema(column)]));
  if (nest === undefined) return propertiesOf(columns);
  const properties = propertiesOf(columns.filter(({ col }) => nest.columns.includes(col)));
  const items = { type: 'object', required: Object.keys(properties), properties };
  const { description = `The list ${nest.name}; empty without rows.` } = nest;
  return {
    ...propertiesOf(columns.filter(({ col }) => !nest.columns.includes(col))),
    [nest.name]: { type: 'array', description, items },
  };
}

const WHOLE_NUMBER = {
  title: 'WholeNumber',
  description: 'A number up to 2^53; a text with all digits beyond that.',
  type: ['integer', 'string'],
};

/** Types with values that a JSON number cannot represent exactly. */
const EXACT: Readonly<Partial<Record<ColumnDefinition['data_type'], typeof WHOLE_NUMBER>>> = {
  BIGINT: WHOLE_NUMBER,
  'UNSIGNED BIGINT': WHOLE_NUMBER,
  DECIMAL: {
    title: 'DecimalNumber',
    description: 'A number with up to 15 digits; a text with all digits beyond that.',
    type: ['number', 'string'],
  },
};

function textPattern({ data_type, scale }: Pick<ColumnDefinition, 'data_type' | 'scale'>): string | undefined {
  if (INTEGERS.has(data_type)) return '-?\\d+';
  if (data_type === 'DECIMAL' && scale !== undefined) return scale === 0 ? '-?\\d+' : `-?\\d+\\.\\d{${scale}}`;
  if (FRACTIONS.has(data_type)) return '-?\\d+(\\.\\d+)?(e[+-]\\d+)?';
  if (data_type === 'DATE') return '\\d{4}-\\d\\d-\\d\\d';
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') return '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
  return undefined;
}
