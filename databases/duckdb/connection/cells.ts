import type {
  DuckDBBigIntVector,
  DuckDBDataChunk,
  DuckDBDecimalType,
  DuckDBType,
  DuckDBValue,
  DuckDBVector,
} from '@duckdb/node-api';
import type { Cell, DataType, DescribedColumn } from '../../../engine/index.js';
import { EngineError } from '../../../engine/interface/errors.js';
import { resultTooLargeError } from '../../failures.js';
import { DuckDBTypeId, JsonDuckDBValueConverter } from './node-api.js';
import { formatDate, formatTime, formatTimestamp } from './times.js';

/** Converts the values of one column into cells. A reader is created for each column of a result. */
export interface CellReader {
  /** The engine's name of the column's type. */
  readonly type: DataType;
  read(vector: DuckDBVector, row: number): Cell;
}

/** Creates the reader for a type of column. The conversion is chosen once per column and not once per cell. */
export function createCellReader(type: DuckDBType): CellReader {
  return { type: TYPE_NAMES[type.typeId] ?? 'VARCHAR', read: readFunctionOf(type) };
}

/** Returns the engine's name of a type of column, and the digits after the decimal point of a DECIMAL. */
export function describeType(type: DuckDBType): Pick<DescribedColumn, 'type' | 'scale'> {
  const name = TYPE_NAMES[type.typeId] ?? 'VARCHAR';
  // The only DECIMAL types without a scale are integers of more than 64 bits.
  return name === 'DECIMAL' ? { type: name, scale: (type as Partial<DuckDBDecimalType>).scale ?? 0 } : { type: name };
}

/** Appends at most `limit` rows of the chunk to `rows`. */
export function appendRows(
  rows: Cell[][],
  chunk: DuckDBDataChunk,
  readers: readonly CellReader[],
  limit: number,
): void {
  const count = Math.min(chunk.rowCount, limit);
  const first = rows.length;
  for (let row = 0; row < count; row++) rows.push(new Array<Cell>(readers.length));
  readers.forEach((reader, column) => {
    const vector = chunk.getColumnVector(column);
    for (let row = 0; row < count; row++) (rows[first + row] as Cell[])[column] = reader.read(vector, row);
  });
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

function readFunctionOf(type: DuckDBType): CellReader['read'] {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.ENUM:
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
      return (vector, row) => vector.getItem(row) as Cell;
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return (vector, row) => toIntegerCell((vector as DuckDBBigIntVector).getItem(row));
    case DuckDBTypeId.DECIMAL:
      return createDecimalReader((type as DuckDBDecimalType).scale);
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return (vector, row) => requireFinite(vector.getItem(row) as number | null);
    default:
      return keepNull(formatFunctionOf(type));
  }
}

function toIntegerCell(value: bigint | null): Cell {
  if (value === null) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * MySQL has no infinity and no NaN. A query that computes such a number fails on MySQL, so it must also fail on DuckDB.
 */
function requireFinite(value: number | null): Cell {
  if (value === null || Number.isFinite(value)) return value;
  throw new EngineError('query_failed', 'A number is out of range: a DOUBLE in the result is infinite or NaN.');
}

interface ScaledVector {
  getScaledValue(row: number): bigint | number | null;
}

function createDecimalReader(scale: number): CellReader['read'] {
  return (vector, row) => {
    const scaled = (vector as unknown as ScaledVector).getScaledValue(row);
    return scaled === null ? null : formatDecimal(scaled, scale);
  };
}

function formatDecimal(scaled: bigint | number, scale: number): string {
  const number = Number(scaled);
  // The text of a number costs less than that of a bigint.
  const digits = Number.isSafeInteger(number) ? String(number) : scaled.toString();
  if (scale === 0) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const padded = digits.slice(sign.length).padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function keepNull(format: (value: NonNullable<DuckDBValue>) => Cell): CellReader['read'] {
  return (vector, row) => {
    const value = vector.getItem(row);
    return value === null || value === undefined ? null : format(value);
  };
}

function formatFunctionOf(type: DuckDBType): (value: NonNullable<DuckDBValue>) => Cell {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return (value) => (value === true ? 1 : 0);
    case DuckDBTypeId.DATE:
      return (value) => formatDate((value as { days: number }).days);
    case DuckDBTypeId.TIME:
      return (value) => formatTime((value as { micros: bigint }).micros);
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return (value) => formatTimestamp((value as { micros: bigint }).micros);
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
    const before = this.rows.length;
    appendRows(this.rows, chunk, this.#readers, this.remainingRows);
    for (let index = before; index < this.rows.length; index++) {
      for (const cell of this.rows[index] ?? []) this.#bytes += typeof cell === 'string' ? cell.length : NUMBER_BYTES;
    }
    if (this.#bytes > this.#maxBytes) throw resultTooLargeError(this.#maxBytes);
  }
}

const NUMBER_BYTES = 8;
