import type { ChartCell } from './result-column.js';

/** Formats a cell with a number. Wide numbers, which are text, keep all of their digits. */
export function numberText(cell: ChartCell, locale: string): string {
  if (cell === null) return '–';
  if (typeof cell === 'number') return formatter(locale, 'standard').format(cell);
  const [whole = '', fraction = ''] = cell.split('.');
  const isPlain = /^-?\d+$/.test(whole) && /^\d*$/.test(fraction);
  if (!isPlain) return cell;
  return formatter(locale, 'standard').format(Number.isSafeInteger(Number(whole)) ? Number(cell) : BigInt(whole));
}

/** Formats a cell for the label of a bar: large numbers have few digits after the point. */
export function roundedText(cell: ChartCell, locale: string): string {
  const value = numberOf(cell);
  if (value === null || Number.isInteger(value)) return numberText(cell, locale);
  return numberText(Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 3)), locale);
}

/** Formats a number in few characters: 12,300 becomes 12.3K. */
export function shortNumberText(value: number, locale: string): string {
  return formatter(locale, Math.abs(value) < 10_000 ? 'standard' : 'compact').format(value);
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

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string, notation: 'standard' | 'compact'): Intl.NumberFormat {
  const key = `${locale} ${notation}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const created = new Intl.NumberFormat(locale, { notation, maximumFractionDigits: notation === 'compact' ? 1 : 4 });
  formatters.set(key, created);
  return created;
}
