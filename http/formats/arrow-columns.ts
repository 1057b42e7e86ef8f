import type { DataType as ArrowType, Data } from 'apache-arrow';
import { type Cell, type ColumnDefinition, createTextWriter, isNumeric } from '../../engine/index.js';
import type { Rows } from './row-encoder.js';

export type Arrow = typeof import('apache-arrow');

/** A column of a stream: its type, and the function that writes its cells of a batch of rows. */
export interface ArrowColumn {
  readonly type: ArrowType;
  write(rows: Rows, column: number): Data;
}

/**
 * Chooses the type of a column, so that every cell keeps its exact value. All whole numbers have 64 bits, because a database can
 * return more than the declared type holds. A DECIMAL without a scale, and times of day, are text.
 */
export function arrowColumn(arrow: Arrow, column: ColumnDefinition): ArrowColumn {
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

/** Which cells are NULL. A bit is set for each other cell. */
class Validity {
  nullCount = 0;
  readonly bits: Uint8Array;

  constructor(rows: Rows, column: number) {
    this.bits = new Uint8Array((rows.length + 7) >> 3);
    for (let row = 0; row < rows.length; row += 1) {
      if (cellAt(rows, row, column) === null) this.nullCount += 1;
      else (this.bits[row >> 3] as number) |= 1 << (row & 7);
    }
  }
}

function cellAt(rows: Rows, row: number, column: number): Cell {
  return rows[row]?.[column] ?? null;
}

/** Writes cells of a fixed number of bytes. `set` writes one cell that is not NULL. */
function fixedColumn<Values extends ArrayBufferView>(
  arrow: Arrow,
  type: ArrowType,
  create: (length: number) => Values,
  set: (values: Values, row: number, cell: NonNullable<Cell>) => void,
): ArrowColumn {
  return {
    type,
    write(rows, column) {
      const { nullCount, bits } = new Validity(rows, column);
      const data = create(rows.length);
      for (let row = 0; row < rows.length; row += 1) {
        const cell = cellAt(rows, row, column);
        if (cell !== null) set(data, row, cell);
      }
      return makeData(arrow, { type, length: rows.length, nullCount, nullBitmap: bits, data });
    },
  };
}

/** The types of the package allow only one type of column at a time. */
function makeData(arrow: Arrow, parts: object): Data {
  return (arrow.makeData as (parts: object) => Data)(parts);
}

const WORD = 2 ** 32;

function integerColumn(arrow: Arrow, type: ArrowType, text: WriteText): ArrowColumn {
  const isUnsigned = arrow.DataType.isInt(type) && !type.isSigned;
  const create = (length: number) => (isUnsigned ? new BigUint64Array(length) : new BigInt64Array(length));
  return fixedColumn(arrow, type, create, (values, row, cell) => {
    if (typeof cell === 'number' && Number.isSafeInteger(cell) && (cell >= 0 || !isUnsigned)) {
      // Two halves cost less than a bigint.
      const words = new Uint32Array(values.buffer, row * 8, 2);
      const high = Math.floor(cell / WORD);
      words[0] = cell - high * WORD;
      words[1] = high;
      return;
    }
    const integer = BigInt(text(cell));
    values[row] = integer;
    if (values[row] !== integer) throw new TypeError(`the whole number ${integer} has more than 64 bits`);
  });
}

function numberColumn(arrow: Arrow, type: ArrowType, read: (cell: NonNullable<Cell>) => number): ArrowColumn {
  return fixedColumn(
    arrow,
    type,
    (length) => new Float64Array(length),
    (values, row, cell) => {
      values[row] = read(cell);
    },
  );
}

const DECIMAL_BITS = 128;
const DECIMAL_DIGITS = 38;

function decimalColumn(arrow: Arrow, text: WriteText, scale: number): ArrowColumn {
  const type = new arrow.Decimal(scale, DECIMAL_DIGITS, DECIMAL_BITS);
  const create = (length: number) => new BigInt64Array(2 * length);
  return fixedColumn(arrow, type, create, (values, row, cell) => {
    const written = text(cell);
    const unscaled = BigInt(written.replace('.', ''));
    if (written.replace(/\D/g, '').replace(/^0+/, '').length > DECIMAL_DIGITS) {
      throw new TypeError(`the decimal ${written} has more than ${DECIMAL_DIGITS} digits`);
    }
    values[2 * row] = BigInt.asIntN(64, unscaled);
    values[2 * row + 1] = unscaled >> 64n;
  });
}

const DAY_MS = 86_400_000;

function dateColumn(arrow: Arrow, text: WriteText, name: string): ArrowColumn {
  return fixedColumn(
    arrow,
    new arrow.DateDay(),
    (length) => new Int32Array(length),
    (values, row, cell) => {
      values[row] = millisecondsOf(`${text(cell)}T00:00:00Z`, name) / DAY_MS;
    },
  );
}

function timestampColumn(arrow: Arrow, text: WriteText, name: string): ArrowColumn {
  const type = new arrow.TimestampSecond('UTC');
  return fixedColumn(
    arrow,
    type,
    (length) => new BigInt64Array(length),
    (values, row, cell) => {
      values[row] = BigInt(millisecondsOf(`${text(cell).replace(' ', 'T')}Z`, name) / 1000);
    },
  );
}

function millisecondsOf(time: string, name: string): number {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) throw new TypeError(`column ${name} has a time that does not exist: ${time}`);
  return ms;
}

function textColumn(arrow: Arrow, text: WriteText): ArrowColumn {
  const type = new arrow.Utf8();
  return {
    type,
    write(rows, column) {
      const { nullCount, bits } = new Validity(rows, column);
      const valueOffsets = new Int32Array(rows.length + 1);
      let [all, bytes] = ['', 0];
      for (let row = 0; row < rows.length; row += 1) {
        const cell = cellAt(rows, row, column);
        if (cell !== null) {
          const written = text(cell);
          all += written;
          bytes += Buffer.byteLength(written);
        }
        valueOffsets[row + 1] = bytes;
      }
      return makeData(arrow, {
        type,
        length: rows.length,
        nullCount,
        nullBitmap: bits,
        valueOffsets,
        data: Buffer.from(all),
      });
    },
  };
}
