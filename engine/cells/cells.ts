import type { ColumnDefinition, DataType } from '../definition/definition.js';
import type { Cell } from '../interface/database.js';

/** Writes one cell as text, by its declared type. Throws when the database gives something else. */
export type CellWriter = (cell: Cell) => string;

/** Writes one cell as a native JSON value. */
export type NativeCellWriter = (cell: Cell) => string | number | null;

/** What of a column decides how its cells are written. */
export type WrittenColumn = Pick<ColumnDefinition, 'col' | 'data_type' | 'scale'>;

/** Types whose cells are whole numbers, and those whose cells may have a fraction. */
export const INTEGERS: ReadonlySet<DataType> = new Set<DataType>([
  'BIGINT',
  'INT',
  'UNSIGNED BIGINT',
  'TINYINT',
  'MEDIUMINT',
  'SMALLINT',
  'YEAR',
]);
export const FRACTIONS: ReadonlySet<DataType> = new Set<DataType>(['DECIMAL', 'DOUBLE', 'FLOAT']);

/** Text of a cell as envelopes with text cells have it: lossless, an empty text for NULL. */
export function createTextWriter(column: ColumnDefinition): CellWriter {
  const write = writerOf(column);
  return (cell) => (cell === null ? '' : write(cell));
}

/**
 * Native values for `/q`: numbers where JSON's double holds them exactly (integers up to 2^53, decimals of up to 15
 * digits), text beyond; floating point numbers as numbers; everything else as text.
 */
export function createNativeWriter(column: WrittenColumn): NativeCellWriter {
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
      return isExact && text.replaceAll(/\D/g, '').replace(/^0+/, '').length > 15 ? text : Number(text);
    };
  }
  return (cell) => (cell === null ? null : write(cell));
}

/** A cell of no declared type, such as in a query plan. */
export function toNativeValue(cell: Cell): string | number | null {
  return typeof cell === 'bigint' ? (Number.isSafeInteger(Number(cell)) ? Number(cell) : `${cell}`) : cell;
}

/**
 * Rounds decimal text half away from zero, digit by digit: no binary fraction comes between.
 * `roundDecimal('2.345', 2)` is `'2.35'`.
 */
export function roundDecimal(text: string, scale: number): string {
  const isRound = scale > 0 && text[text.length - scale - 1] === '.' && text >= '0';
  if (isRound) return text;
  const [, sign = '', whole = '0', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  const kept = `${whole === '' ? '0' : whole}${fraction.slice(0, scale).padEnd(scale, '0')}`;
  const digits = (BigInt(kept) + ((fraction[scale] ?? '0') >= '5' ? 1n : 0n)).toString().padStart(scale + 1, '0');
  const rounded = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return sign === '-' && /[1-9]/.test(rounded) ? `-${rounded}` : rounded;
}

const PLAIN_DECIMAL = /^[+-]?\d+(\.\d+)?$/;

function writerOf({ col, data_type, scale }: WrittenColumn): (cell: NonNullable<Cell>) => string {
  const mismatch = (cell: Cell) => new TypeError(`column ${col} is declared ${data_type}, the database gave ${cell}`);
  if (INTEGERS.has(data_type)) {
    return (cell) => {
      if (typeof cell === 'bigint') return cell.toString();
      if (Number.isSafeInteger(cell)) return String(cell);
      if (typeof cell === 'number' && Number.isInteger(cell)) return BigInt(cell).toString();
      // Sums come as DECIMAL, whose text may carry a fraction of zeros.
      const text = String(cell).replace(/\.0+$/, '');
      if (!/^-?\d+$/.test(text)) throw mismatch(cell);
      return text;
    };
  }
  if (FRACTIONS.has(data_type)) {
    return (cell) => {
      if (typeof cell === 'number') return writeNumber(cell, scale);
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

/** `toFixed` rounds the exact binary value half away from zero; minus zero loses its sign. */
function writeNumber(value: number, scale: number | undefined): string {
  if (scale === undefined || Math.abs(value) >= 1e21) return String(value);
  const text = value.toFixed(scale);
  return text.startsWith('-') && !/[1-9]/.test(text) ? text.slice(1) : text;
}
