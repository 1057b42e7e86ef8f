import { type ColumnFormat, MISSING } from './column-presentation.js';
import type { ChartCell } from './result-column.js';

/** Formats a cell with a number. Wide numbers, which are text, keep all of their digits. */
export function numberText(cell: ChartCell, locale: string, format: ColumnFormat = 'number', places?: number): string {
  if (cell === null) return MISSING;
  if (format === 'id' || numberOf(cell) === null) return String(cell);
  return write(cell, { locale, format, notation: 'standard', ...(places !== undefined && { places }) });
}

/** Formats a cell for the label of a bar: large numbers have few digits after the point. */
export function roundedText(cell: ChartCell, locale: string, format: ColumnFormat = 'number'): string {
  const value = numberOf(cell);
  if (value === null || Number.isInteger(value) || format !== 'number') return numberText(cell, locale, format);
  return numberText(Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 3)), locale, format);
}

/** Formats a number in few characters: 12,300 becomes 12.3K. */
export function shortNumberText(value: number, locale: string, format: ColumnFormat = 'number'): string {
  return write(value, { locale, format, notation: Math.abs(value) < 10_000 ? 'standard' : 'compact' });
}

export function percentText(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** Returns the number of a cell; null for NULL and for text that is not a number. */
export function numberOf(cell: ChartCell): number | null {
  if (cell === null || cell === '') return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
}

interface Writing {
  readonly locale: string;
  readonly format: ColumnFormat;
  readonly notation: 'standard' | 'compact';
  /** The number of digits after the point. By default, as many as the number has, up to a limit. */
  readonly places?: number;
}

function write(cell: string | number, writing: Writing): string {
  const value = Number(cell);
  switch (writing.format) {
    case 'yes-no':
      return value === 0 ? 'No' : value === 1 ? 'Yes' : String(cell);
    case 'rank-change':
      if (value === 0) return '=';
      return `${value < 0 ? '▲' : '▼'} ${writeNumber(String(cell).replace('-', ''), writing)}`;
    case 'percent':
    case 'percent-change':
      return writeNumber(value / 100, writing);
    case 'bytes': {
      // A number that is rounded to 1,000 has the next unit.
      const rounded = Math.max(1, Math.abs(value) / (1 - ROUNDED_UP));
      const power = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(rounded) / 3));
      return formatter(writing, BYTE_UNITS[power]).format(value / 1000 ** power);
    }
    default:
      return writeNumber(cell, writing);
  }
}

/** A number that is not 0 must not look like 0, so a small one has significant digits. A text keeps all of its digits. */
function writeNumber(cell: string | number, writing: Writing): string {
  const value = Number(cell);
  const style = STYLES[writing.format];
  const places = (writing.places ?? MAX_PLACES[writing.format]) + (style?.style === 'percent' ? 2 : 0);
  if (value === 0 || Math.abs(value) >= 0.5 * 10 ** -places) return formatter(writing).format(cell as number);
  return new Intl.NumberFormat(writing.locale, { ...style, maximumSignificantDigits: 3 }).format(value);
}

/** Half of the last shown digit of 999.9. */
const ROUNDED_UP = 0.00005;

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(writing: Writing, unit?: string): Intl.NumberFormat {
  const { locale, format, notation, places } = writing;
  const key = `${locale} ${format} ${notation} ${places} ${unit}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const created = new Intl.NumberFormat(locale, {
    ...STYLES[format],
    notation,
    ...(unit !== undefined && { style: 'unit', unit, unitDisplay: 'short' }),
    minimumFractionDigits: places ?? 0,
    maximumFractionDigits: places ?? (notation === 'compact' || unit !== undefined ? 1 : MAX_PLACES[format]),
  });
  formatters.set(key, created);
  return created;
}

const PERCENT = { style: 'percent' } as const;
const SIGNED = { signDisplay: 'exceptZero' } as const;
const STYLES: Readonly<Partial<Record<ColumnFormat, Intl.NumberFormatOptions>>> = {
  percent: PERCENT,
  share: PERCENT,
  'percent-change': { ...PERCENT, ...SIGNED },
  change: SIGNED,
};

const MAX_PLACES: Readonly<Record<ColumnFormat, number>> = {
  ...{ number: 4, id: 0, change: 4, 'rank-change': 4, bytes: 1, 'yes-no': 0, date: 0 },
  ...{ percent: 2, 'percent-change': 2, share: 2 },
};
