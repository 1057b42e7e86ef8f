import { type DataType, INTEGERS } from '../../databases/interface/data-types.js';
import type { Cell } from '../../databases/interface/database.js';
import type { ColumnDefinition } from '../../definitions/definition.js';

/** Writes one cell as text in the format of its declared type. Throws a `TypeError` if the cell does not fit the type. */
export type CellWriter = (cell: Cell) => string;

/** Writes one cell as a native JSON value. */
export type NativeCellWriter = (cell: Cell) => string | number | null;

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
 * are numbers, because a double holds them exactly; larger ones are text. Floating point numbers are numbers. All other
 * types are text.
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
