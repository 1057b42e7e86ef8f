import { createRequire } from 'node:module';
import type { DataType as ArrowType, Data, RecordBatch, Schema, Struct } from 'apache-arrow';
import { createTextWriter, isNumeric } from '../../answers/cells/cells.js';
import type { Cell } from '../../databases/interface/database.js';
import type { ColumnDefinition } from '../../definitions/definition.js';
import type { RowEncoder, Rows } from './format.js';
import { DAY_MS, readTime } from './read-time.js';

/** A metadata key of the last record batch, which has no rows. Its value is the JSON of `AnswerFacts`. */
export const ARROW_END_KEY = 'repo-insight.end';

/**
 * Writes an Arrow IPC stream: the schema, one record batch for each batch of rows, and an empty record batch whose
 * metadata contain the closing record.
 */
export function createArrowEncoder(columns: readonly ColumnDefinition[]): RowEncoder {
  const arrow = loadArrow();
  const written = columns.map((column) => ({ name: column.col, ...arrowColumn(arrow, column) }));
  // All fields are nullable, because a definition that declares a column as not nullable can be wrong.
  const schema = new arrow.Schema(written.map(({ name, type }) => new arrow.Field(name, type, true)));
  const type = new arrow.Struct(schema.fields);
  const writer = createBytesWriter(arrow);
  const batchOf = (rows: Rows, metadata?: Map<string, string>): RecordBatch => {
    const children = written.map(({ write }, index) => write(rows, index));
    const data: Data<Struct> = arrow.makeData({ type, length: rows.length, nullCount: 0, children });
    return new arrow.RecordBatch(schema, data, metadata);
  };
  return {
    start: () => writer.start(schema),
    rows: (rows) => writer.batch(batchOf(rows)),
    end: (facts) => {
      const batch = writer.batch(batchOf([], new Map([[ARROW_END_KEY, JSON.stringify(facts)]])));
      return Buffer.concat([batch, writer.end()]);
    },
  };
}

/** Loads the package for the first answer in this format, because loading it earlier would delay each start. */
function loadArrow(): Arrow {
  return createRequire(import.meta.url)('apache-arrow') as Arrow;
}

interface BytesWriter {
  start(schema: Schema): Buffer;
  batch(batch: RecordBatch): Buffer;
  end(): Buffer;
}

/** Creates a writer that returns the bytes of each message separately. The writers of the package return only all bytes together. */
function createBytesWriter({ RecordBatchStreamWriter }: Arrow): BytesWriter {
  let parts: Uint8Array[] = [];
  class PartsWriter extends RecordBatchStreamWriter {
    protected override _write({ buffer, byteOffset, byteLength }: ArrayBufferView): this {
      parts.push(new Uint8Array(buffer, byteOffset, byteLength));
      return this;
    }
  }
  const writer = new PartsWriter();
  const take = () => {
    const bytes = Buffer.concat(parts);
    parts = [];
    return bytes;
  };
  return {
    start(schema) {
      writer.reset(undefined, schema);
      return take();
    },
    batch(batch) {
      writer.write(batch);
      return take();
    },
    end() {
      writer.finish();
      return take();
    },
  };
}

type Arrow = typeof import('apache-arrow');

/** A column of an Arrow stream: its type, and the function that writes its cells of a batch of rows. */
interface ArrowColumn {
  readonly type: ArrowType;
  write(rows: Rows, column: number): Data;
}

/**
 * Chooses the Arrow type of a column so that every cell keeps its exact value. All whole numbers have 64 bits, because a database can
 * return numbers outside the range of the declared type. A DECIMAL without a scale, and times of day, are text.
 */
function arrowColumn(arrow: Arrow, column: ColumnDefinition): ArrowColumn {
  const { data_type, scale } = column;
  const text = createTextWriter(column);
  switch (data_type) {
    case 'DECIMAL':
      return scale === undefined ? textColumn(arrow, text) : decimalColumn(arrow, text, scale);
    case 'DOUBLE':
    case 'FLOAT':
      return numberColumn(arrow, new arrow.Float64(), (cell) => Number(scale === undefined ? cell : text(cell)));
    case 'UNSIGNED BIGINT':
      return integerColumn(arrow, new arrow.Uint64(), text);
    case 'DATE':
      return dateColumn(arrow, text, column.col);
    case 'DATETIME':
    case 'TIMESTAMP':
      return timestampColumn(arrow, text, column.col);
    default:
      return isNumeric(data_type) ? integerColumn(arrow, new arrow.Int64(), text) : textColumn(arrow, text);
  }
}

type WriteText = (cell: Cell) => string;

/** The validity bitmap of a column: a bit is set for each cell that is not NULL. */
class Validity {
  nullCount = 0;
  readonly bits: Uint8Array;

  constructor(length: number) {
    this.bits = new Uint8Array((length + 7) >> 3);
  }

  /** Records whether a cell is NULL. Returns true if it is not NULL. */
  add(row: number, cell: Cell): cell is NonNullable<Cell> {
    if (cell === null) this.nullCount += 1;
    else (this.bits[row >> 3] as number) |= 1 << (row & 7);
    return cell !== null;
  }
}

function cellAt(rows: Rows, row: number, column: number): Cell {
  return rows[row]?.[column] ?? null;
}

/** Creates a column whose cells have a fixed size. `set` writes one cell that is not NULL. */
function fixedColumn<Values extends ArrayBufferView>(
  arrow: Arrow,
  type: ArrowType,
  create: (length: number) => Values,
  set: (values: Values, row: number, cell: NonNullable<Cell>) => void,
): ArrowColumn {
  return {
    type,
    write(rows, column) {
      const validity = new Validity(rows.length);
      const data = create(rows.length);
      for (let row = 0; row < rows.length; row += 1) {
        const cell = cellAt(rows, row, column);
        if (validity.add(row, cell)) set(data, row, cell);
      }
      const { nullCount, bits } = validity;
      return makeData(arrow, { type, length: rows.length, nullCount, nullBitmap: bits, data });
    },
  };
}

/** Calls `makeData` without type checks, because the types of the package allow only one column type per call. */
function makeData(arrow: Arrow, parts: object): Data {
  return (arrow.makeData as (parts: object) => Data)(parts);
}

const WORD = 2 ** 32;

/** Creates an array for 64-bit values as pairs of 32-bit halves, which are faster than bigints. */
function halves(length: number): Uint32Array {
  return new Uint32Array(2 * length);
}

/** Writes a safe integer as 64 bits; `place` is the index of the 64-bit value. */
function setInteger(values: Uint32Array, place: number, integer: number): void {
  const high = Math.floor(integer / WORD);
  values[2 * place] = integer - high * WORD;
  values[2 * place + 1] = high;
}

function setBigInt(values: Uint32Array, place: number, integer: bigint): void {
  values[2 * place] = Number(BigInt.asUintN(32, integer));
  values[2 * place + 1] = Number(BigInt.asUintN(32, integer >> 32n));
}

function integerColumn(arrow: Arrow, type: ArrowType, text: WriteText): ArrowColumn {
  const isUnsigned = arrow.DataType.isInt(type) && !type.isSigned;
  return fixedColumn(arrow, type, halves, (values, row, cell) => {
    if (typeof cell === 'number' && Number.isSafeInteger(cell) && (cell >= 0 || !isUnsigned)) {
      setInteger(values, row, cell);
      return;
    }
    const integer = BigInt(text(cell));
    const fitting = isUnsigned ? BigInt.asUintN(64, integer) : BigInt.asIntN(64, integer);
    if (fitting !== integer) throw new TypeError(`the whole number ${integer} does not fit 64 bits`);
    setBigInt(values, row, integer);
  });
}

function numberColumn(arrow: Arrow, type: ArrowType, read: (cell: NonNullable<Cell>) => number): ArrowColumn {
  const create = (length: number) => new Float64Array(length);
  return fixedColumn(arrow, type, create, (values, row, cell) => {
    values[row] = read(cell);
  });
}

const DECIMAL_BITS = 128;
const DECIMAL_DIGITS = 38;
/** Texts up to this length have at most 15 digits, which a double represents exactly. */
const SHORT_DECIMAL = 15;

function decimalColumn(arrow: Arrow, text: WriteText, scale: number): ArrowColumn {
  const type = new arrow.Decimal(scale, DECIMAL_DIGITS, DECIMAL_BITS);
  const create = (length: number) => halves(2 * length);
  return fixedColumn(arrow, type, create, (values, row, cell) => {
    const written = text(cell);
    const short = written.length <= SHORT_DECIMAL ? readDigits(written) : undefined;
    if (short !== undefined) {
      setInteger(values, 2 * row, short);
      setInteger(values, 2 * row + 1, short < 0 ? -1 : 0);
      return;
    }
    // Only large whole numbers have an exponent, because `text` rounds small numbers to a fixed number of digits.
    const digits = written.includes('e') ? `${BigInt(Number(written))}${'0'.repeat(scale)}` : written.replace('.', '');
    if (digits.replace(/^-?0*/, '').length > DECIMAL_DIGITS) {
      throw new TypeError(`the decimal ${written} has more than ${DECIMAL_DIGITS} digits`);
    }
    const unscaled = BigInt(digits);
    setBigInt(values, 2 * row, unscaled);
    setBigInt(values, 2 * row + 1, unscaled >> 64n);
  });
}

/** Returns the number that the digits of a decimal form without the point. Returns undefined if it has an exponent. */
function readDigits(decimal: string): number | undefined {
  let digits = 0;
  for (let index = 0; index < decimal.length; index += 1) {
    const digit = decimal.charCodeAt(index) - ZERO;
    if (digit > 9) return undefined;
    if (digit >= 0) digits = 10 * digits + digit;
  }
  return decimal.startsWith('-') ? -digits : digits;
}

/** The character code of the digit 0. The codes of `-` and `.` are smaller. */
const ZERO = 48;

function dateColumn(arrow: Arrow, text: WriteText, name: string): ArrowColumn {
  const create = (length: number) => new Int32Array(length);
  return fixedColumn(arrow, new arrow.DateDay(), create, (values, row, cell) => {
    values[row] = readTime(`${text(cell)} 00:00:00`, name) / DAY_MS;
  });
}

function timestampColumn(arrow: Arrow, text: WriteText, name: string): ArrowColumn {
  const type = new arrow.TimestampSecond('UTC');
  return fixedColumn(arrow, type, halves, (values, row, cell) => {
    setInteger(values, row, readTime(text(cell), name) / 1000);
  });
}

function textColumn(arrow: Arrow, text: WriteText): ArrowColumn {
  const type = new arrow.Utf8();
  return {
    type,
    write(rows, column) {
      const validity = new Validity(rows.length);
      const valueOffsets = new Int32Array(rows.length + 1);
      let all = '';
      for (let row = 0; row < rows.length; row += 1) {
        const cell = cellAt(rows, row, column);
        if (validity.add(row, cell)) all += text(cell);
        valueOffsets[row + 1] = all.length;
      }
      const data = Buffer.from(all);
      if (data.length !== all.length) countBytes(valueOffsets, all);
      const { nullCount, bits } = validity;
      return makeData(arrow, { type, length: rows.length, nullCount, nullBitmap: bits, valueOffsets, data });
    },
  };
}

/** Converts offsets of texts from UTF-16 code units to UTF-8 bytes. */
function countBytes(offsets: Int32Array, all: string): void {
  let [start, bytes] = [0, 0];
  for (let index = 1; index < offsets.length; index += 1) {
    const end = offsets[index] as number;
    bytes += Buffer.byteLength(all.slice(start, end));
    offsets[index] = bytes;
    start = end;
  }
}
