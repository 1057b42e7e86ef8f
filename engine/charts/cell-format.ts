import { type ColumnFormat, formatOf, MISSING } from './column-presentation.js';
import { numberText } from './number-text.js';
import { type ChartCell, type ChartField, type ChartRows, cellOf, isNumeric, NUMBER_TYPES } from './result-column.js';

/** How the cells of a column are written in tables. The unit is part of the heading. */
export interface CellFormat {
  readonly isNumber: boolean;
  /** Whether the cells are times in UTC. */
  readonly isTime: boolean;
  readonly format: (cell: ChartCell) => string;
}

/** Returns the format of a column. All numbers in a column get the same number of digits after the point. */
export function cellFormat(field: ChartField, rows: ChartRows, locale: string): CellFormat {
  const { name, format, nullAs = MISSING } = field;
  const type = field.columnType.toUpperCase();
  const isTime = TIME_TYPES.has(type) && format !== 'date';
  const isNumber = NUMBER_TYPES.has(type) && rows.every((row) => isNumberOrNull(cellOf(row, name)));
  const textOf = isNumber ? numberWriter(field, rows, locale) : format === 'date' ? dayOf : String;
  return { isNumber, isTime, format: (cell) => (cell === null ? nullAs : textOf(cell)) };
}

type WriteCell = (cell: string | number) => string;

function numberWriter(field: ChartField, rows: ChartRows, locale: string): WriteCell {
  const { name, columnType } = field;
  const format = formatOf(field);
  if (format === 'id') return String;
  const decimals = decimalsOf(rows, name) - (format === 'share' ? 2 : 0);
  const most = PERCENT_FORMATS.has(format) ? 2 : ROUNDED_TYPES.has(columnType.toUpperCase()) ? 4 : MAX_DECIMALS;
  const places = format === 'bytes' ? undefined : Math.max(0, Math.min(decimals, most));
  return (cell) => numberText(cell, locale, format, places);
}

function dayOf(cell: string | number): string {
  return String(cell).slice(0, 'YYYY-MM-DD'.length);
}

function isNumberOrNull(cell: ChartCell): boolean {
  return cell === null || isNumeric(cell);
}

function decimalsOf(rows: ChartRows, name: string): number {
  return rows.reduce((most, row) => {
    const [, decimals = '', exponent = '0'] = NUMBER.exec(String(cellOf(row, name) ?? '')) ?? [];
    return Math.max(most, decimals.length - Number(exponent));
  }, 0);
}

const ROUNDED_TYPES = new Set(['DOUBLE', 'FLOAT']);
const TIME_TYPES = new Set(['DATETIME', 'TIMESTAMP']);
const PERCENT_FORMATS: ReadonlySet<ColumnFormat | undefined> = new Set(['share', 'percent', 'percent-change']);
const NUMBER = /^-?\d+(?:\.(\d+))?(?:e([-+]?\d+))?$/i;
const MAX_DECIMALS = 20;
