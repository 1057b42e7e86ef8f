import type { Cell, Row } from '../../api/rows.js';
import type { TableField } from './table-field.js';

/** The format of the cells of a column. */
export interface CellFormat {
  readonly isNumber: boolean;
  /** Whether the cells are times in UTC. */
  readonly isTime: boolean;
  readonly format: (value: string | number) => string;
}

/** Returns the format of a column. All numbers in a column get the same number of decimals. */
export function formatOf({ name, columnType }: TableField, rows: readonly Row[]): CellFormat {
  const type = columnType.toUpperCase();
  const isTime = TIME_TYPES.has(type);
  const isNumber = NUMBER_TYPES.has(type) && rows.every((row) => isNumeric(cellOf(row, name)));
  if (!isNumber) return { isNumber, isTime, format: String };
  if (PLAIN_NUMBER.test(name)) return { isNumber, isTime, format: String };
  const places = Math.min(decimalsOf(rows, name), ROUNDED_TYPES.has(type) ? MAX_DECIMALS : MAX_EXACT_DECIMALS);
  const numbers = new Intl.NumberFormat(undefined, { minimumFractionDigits: places, maximumFractionDigits: places });
  // A number that is a text keeps all of its digits.
  return { isNumber, isTime, format: (value) => numbers.format(value as number) };
}

/** Returns a cell. Inherited members such as `constructor` are not returned. */
export function cellOf(row: Row, name: string): Cell {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/** Compares two values of a column in ascending order. Large integers are compared exactly. */
export function compareCells(a: string | number, b: string | number, isNumber: boolean): number {
  if (!isNumber) return COLLATOR.compare(String(a), String(b));
  if (typeof a === 'string' && typeof b === 'string' && INTEGER.test(a) && INTEGER.test(b)) {
    const [left, right] = [BigInt(a), BigInt(b)];
    return left < right ? -1 : Number(left > right);
  }
  return Number(a) - Number(b);
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true });
const NUMBER_TYPES = new Set([
  ...['BIGINT', 'UNSIGNED BIGINT', 'INT', 'TINYINT', 'MEDIUMINT', 'SMALLINT', 'YEAR'],
  ...['DECIMAL', 'DOUBLE', 'FLOAT'],
]);
const ROUNDED_TYPES = new Set(['DOUBLE', 'FLOAT']);
const TIME_TYPES = new Set(['DATETIME', 'TIMESTAMP']);
/** Columns whose numbers are identifiers or years. The digits of these numbers are not grouped. */
const PLAIN_NUMBER = /(^|_)(id|number|year)$/i;
const NUMBER = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i;
const INTEGER = /^-?\d+$/;
const MAX_DECIMALS = 4;
const MAX_EXACT_DECIMALS = 20;

function isNumeric(value: Cell): boolean {
  return value === null || typeof value === 'number' || NUMBER.test(value);
}

function decimalsOf(rows: readonly Row[], name: string): number {
  return rows.reduce((most, row) => {
    const [, decimals = ''] = String(cellOf(row, name) ?? '').split('.');
    return Math.max(most, /^\d+/.exec(decimals)?.[0].length ?? 0);
  }, 0);
}
