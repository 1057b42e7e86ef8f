import type { DuckDBDataChunk, DuckDBDecimalType, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { resultTooLargeError } from '../../failures.js';
import type { DataType } from '../../interface/data-types.js';
import type { Cell, DescribedColumn, ResultColumn } from '../../interface/database.js';
import { EngineError } from '../../interface/errors.js';
import { DuckDBTypeId, JsonDuckDBValueConverter } from '../driver/node-api.js';
import { ColumnMemory, TextColumn } from '../driver/text-column.js';

/** Converts the values of one column into cells. A reader is created for each column of a result. */
export interface CellReader {
  /** The engine's name of the column's type. */
  readonly type: DataType;
  /** Whether a `TextColumn` reads the cells. */
  readonly isText: boolean;
  /** Returns the function that reads the cells of a column of a chunk. */
  open(chunk: DuckDBDataChunk, column: number): (row: number) => Cell;
}

/** Creates the reader for a column type. So the conversion is chosen once per column and not once per cell. */
export function createCellReader(type: DuckDBType): CellReader {
  const isText = type.typeId === DuckDBTypeId.VARCHAR;
  return { type: TYPE_NAMES[type.typeId] ?? 'VARCHAR', isText, open: openFunctionOf(type) };
}

/** Returns the engine's name of a column type, and the digits after the decimal point of a DECIMAL. */
export function describeType(type: DuckDBType): Pick<DescribedColumn, 'type' | 'scale'> {
  // DuckDB stores JSON as text, with an alias of its type.
  const name = type.alias === 'JSON' ? 'JSON' : (TYPE_NAMES[type.typeId] ?? 'VARCHAR');
  // Integers of more than 64 bits are also named DECIMAL. These integers have no scale, so `scale` is 0.
  return name === 'DECIMAL' ? { type: name, scale: (type as Partial<DuckDBDecimalType>).scale ?? 0 } : { type: name };
}

const TYPE_NAMES: Partial<Record<DuckDBTypeId, DataType>> = {
  [DuckDBTypeId.BOOLEAN]: 'TINYINT',
  [DuckDBTypeId.TINYINT]: 'TINYINT',
  [DuckDBTypeId.SMALLINT]: 'SMALLINT',
  [DuckDBTypeId.INTEGER]: 'INT',
  [DuckDBTypeId.BIGINT]: 'BIGINT',
  [DuckDBTypeId.UTINYINT]: 'SMALLINT',
  [DuckDBTypeId.USMALLINT]: 'INT',
  [DuckDBTypeId.UINTEGER]: 'BIGINT',
  [DuckDBTypeId.UBIGINT]: 'UNSIGNED BIGINT',
  [DuckDBTypeId.HUGEINT]: 'DECIMAL',
  [DuckDBTypeId.UHUGEINT]: 'DECIMAL',
  [DuckDBTypeId.DECIMAL]: 'DECIMAL',
  [DuckDBTypeId.FLOAT]: 'FLOAT',
  [DuckDBTypeId.DOUBLE]: 'DOUBLE',
  [DuckDBTypeId.DATE]: 'DATE',
  [DuckDBTypeId.TIME]: 'TIME',
  [DuckDBTypeId.TIMESTAMP]: 'DATETIME',
  [DuckDBTypeId.TIMESTAMP_S]: 'DATETIME',
  [DuckDBTypeId.TIMESTAMP_MS]: 'DATETIME',
  [DuckDBTypeId.TIMESTAMP_NS]: 'DATETIME',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'TIMESTAMP',
  [DuckDBTypeId.BLOB]: 'BLOB',
  [DuckDBTypeId.BIT]: 'BIT',
  [DuckDBTypeId.ENUM]: 'ENUM',
  [DuckDBTypeId.UUID]: 'CHAR',
  [DuckDBTypeId.LIST]: 'JSON',
  [DuckDBTypeId.ARRAY]: 'JSON',
  [DuckDBTypeId.STRUCT]: 'JSON',
  [DuckDBTypeId.MAP]: 'JSON',
  [DuckDBTypeId.UNION]: 'JSON',
};

function openFunctionOf(type: DuckDBType): CellReader['open'] {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return (chunk, column) => {
        const texts = new TextColumn(chunk, column);
        return (row) => texts.at(row);
      };
    case DuckDBTypeId.TINYINT:
      return plainReader(Int8Array);
    case DuckDBTypeId.SMALLINT:
      return plainReader(Int16Array);
    case DuckDBTypeId.INTEGER:
      return plainReader(Int32Array);
    case DuckDBTypeId.UTINYINT:
      return plainReader(Uint8Array);
    case DuckDBTypeId.USMALLINT:
      return plainReader(Uint16Array);
    case DuckDBTypeId.UINTEGER:
      return plainReader(Uint32Array);
    case DuckDBTypeId.BIGINT:
      return longReader((value) => value);
    case DuckDBTypeId.DECIMAL:
      return createDecimalReader(type as DuckDBDecimalType);
    case DuckDBTypeId.FLOAT:
      return plainReader(Float32Array, (value) => toShortestNumber(requireFinite(value)));
    case DuckDBTypeId.DOUBLE:
      return plainReader(Float64Array, requireFinite);
    case DuckDBTypeId.DATE:
      return plainReader(Int32Array, formatDate);
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return longReader(formatTimestamp);
    default:
      return valueReader(formatFunctionOf(type));
  }
}

interface NumberArray {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, offset: number, length: number): { readonly [row: number]: number };
}

/** Creates the reader for values that a typed array returns as JavaScript numbers. */
function plainReader(type: NumberArray, convert: (value: number) => Cell = (value) => value): CellReader['open'] {
  return (chunk, column) => {
    const memory = new ColumnMemory(chunk, column, type.BYTES_PER_ELEMENT);
    const values = memory.as(type);
    return (row) => (memory.isNull(row) ? null : convert(values[row] as number));
  };
}

const WORD = 2 ** 32;

/** Creates the reader for 64-bit integers. Most are safe integers, which are faster to compute from two 32-bit halves than as bigints. */
function longReader(convert: (value: number | bigint) => Cell): CellReader['open'] {
  return (chunk, column) => {
    const memory = new ColumnMemory(chunk, column, 8);
    const [low, high] = [memory.as(Uint32Array, 2), memory.as(Int32Array, 2)];
    let exact: BigInt64Array | undefined;
    return (row) => {
      if (memory.isNull(row)) return null;
      const number = (high[2 * row + 1] as number) * WORD + (low[2 * row] as number);
      if (Number.isSafeInteger(number)) return convert(number);
      exact ??= memory.as(BigInt64Array);
      return convert(exact[row] as bigint);
    };
  };
}

function toIntegerCell(value: bigint): Cell {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Throws for infinity and NaN. MySQL does not have these values: a query that computes them fails, so it must also fail on DuckDB.
 */
function requireFinite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new EngineError('query_failed', 'A number is out of range: a DOUBLE in the result is infinite or NaN.');
}

/** Returns the number with the fewest digits that is stored as this FLOAT: 1.23, and not the stored 1.2300000190734863. */
function toShortestNumber(value: number): number {
  for (let digits = MIN_FLOAT_DIGITS; digits < MAX_FLOAT_DIGITS; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(MAX_FLOAT_DIGITS));
}

/** Each number with 6 digits has a different FLOAT, and 9 digits identify each FLOAT. */
const [MIN_FLOAT_DIGITS, MAX_FLOAT_DIGITS] = [6, 9];

function createDecimalReader({ width, scale }: DuckDBDecimalType): CellReader['open'] {
  const format = (scaled: number | bigint) => formatDecimal(scaled, scale);
  if (width <= 4) return plainReader(Int16Array, format);
  if (width <= 9) return plainReader(Int32Array, format);
  if (width <= 18) return longReader(format);
  return valueReader((value) => format((value as { value: bigint }).value));
}

function formatDecimal(scaled: bigint | number, scale: number): string {
  const number = Number(scaled);
  // Converting a number to text is faster than converting a bigint.
  const digits = Number.isSafeInteger(number) ? String(number) : scaled.toString();
  if (scale === 0) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const padded = digits.slice(sign.length).padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** Creates the reader for values that the driver returns as objects or bigints. */
function valueReader(format: (value: NonNullable<DuckDBValue>) => Cell): CellReader['open'] {
  return (chunk, column) => {
    const vector = chunk.getColumnVector(column);
    return (row) => {
      const value = vector.getItem(row);
      return value === null || value === undefined ? null : format(value);
    };
  };
}

function formatFunctionOf(type: DuckDBType): (value: NonNullable<DuckDBValue>) => Cell {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return (value) => (value === true ? 1 : 0);
    case DuckDBTypeId.ENUM:
      return (value) => value as string;
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return (value) => toIntegerCell(value as bigint);
    case DuckDBTypeId.TIME:
      return (value) => formatTime((value as { micros: bigint }).micros);
    case DuckDBTypeId.TIMESTAMP_S:
      return (value) => formatTimestamp((value as { seconds: bigint }).seconds * 1_000_000n);
    case DuckDBTypeId.TIMESTAMP_MS:
      return (value) => formatTimestamp((value as { millis: bigint }).millis * 1_000n);
    case DuckDBTypeId.TIMESTAMP_NS:
      return (value) => formatTimestamp((value as { nanos: bigint }).nanos / 1_000n);
    case DuckDBTypeId.BLOB:
      return (value) => `0x${Buffer.from((value as { bytes: Uint8Array }).bytes).toString('hex')}`;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
    case DuckDBTypeId.STRUCT:
    case DuckDBTypeId.MAP:
    case DuckDBTypeId.UNION:
      return (value) => JSON.stringify(JsonDuckDBValueConverter(value, type, JsonDuckDBValueConverter));
    default:
      return (value) => value.toString();
  }
}

/** Formats days since 1970-01-01 as `YYYY-MM-DD`. Returns null before the year 1 and after 9999: MySQL does not have such dates. */
function formatDate(days: number): string | null {
  if (days < FIRST_DAY || days > LAST_DAY) return null;
  const cached = dateTexts.get(days);
  if (cached !== undefined) return cached;
  const text = formatCivilDate(days);
  if (dateTexts.size >= MAX_CACHED_DATES) dateTexts.clear();
  dateTexts.set(days, text);
  return text;
}

/** Formats microseconds since midnight as `HH:MM:SS`, with six digits of a fraction unless it is zero. */
function formatTime(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  return formatClock(seconds) + formatFraction(Number(micros % 1_000_000n));
}

/**
 * Formats microseconds since 1970 as `YYYY-MM-DD HH:MM:SS` in UTC, with six digits of a fraction unless it is zero.
 * Returns null before the year 1 and after 9999, as `formatDate` does.
 */
function formatTimestamp(micros: bigint | number): string | null {
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
 * The maximum number of cached date texts. Most results have few distinct dates; the limit prevents a malicious query
 * from filling the memory.
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

/** Returns the columns of a result, and the readers of their cells. */
export function columnsOf(result: DuckDBResult): {
  readonly columns: readonly ResultColumn[];
  readonly readers: readonly CellReader[];
} {
  const readers = result.columnTypes().map(createCellReader);
  return { readers, columns: readers.map(({ type }, index) => ({ name: result.columnName(index), type })) };
}

/** Reads the rows of a chunk from `first` up to, but excluding, `end`. */
type ReadRows = (first: number, end: number) => Cell[][];

export function openChunk(chunk: DuckDBDataChunk, readers: readonly CellReader[]): ReadRows {
  const columns = readers.map((reader, column) => reader.open(chunk, column));
  return (first, end) => {
    const rows: Cell[][] = [];
    for (let row = first; row < end; row++) rows.push(new Array<Cell>(columns.length));
    columns.forEach((cellAt, column) => {
      for (let row = first; row < end; row++) (rows[row - first] as Cell[])[column] = cellAt(row);
    });
    return rows;
  };
}

/**
 * Collects the rows of one result, up to a maximum number of rows. Throws if the rows exceed a maximum number of bytes.
 */
export class ResultRows {
  readonly rows: Cell[][] = [];
  readonly #readers: readonly CellReader[];
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(readers: readonly CellReader[], maxRows: number, maxBytes: number) {
    this.#readers = readers;
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  /** The number of rows that can still be added. */
  get remainingRows(): number {
    return this.#maxRows - this.rows.length;
  }

  /** Adds the rows of a chunk up to the row limit. Throws `query_failed` if all rows together exceed the byte limit. */
  add(chunk: DuckDBDataChunk): void {
    const readRows = openChunk(chunk, this.#readers);
    for (const row of readRows(0, Math.min(chunk.rowCount, this.remainingRows))) {
      this.rows.push(row);
      for (const cell of row) this.#bytes += typeof cell === 'string' ? cell.length : NUMBER_BYTES;
    }
    if (this.#bytes > this.#maxBytes) throw resultTooLargeError(this.#maxBytes);
  }
}

const NUMBER_BYTES = 8;
