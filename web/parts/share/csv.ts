import { cellOf } from '../../../engine/charts/result-column.js';
import type { Cell, Row } from '../../api/rows.js';

/** Writes rows as CSV (RFC 4180) with the exact values. NULL is an empty field, and an empty text is `""`. */
export function writeCsv(fields: readonly { readonly name: string }[], rows: readonly Row[]): string {
  const lines = [
    fields.map(({ name }) => writeText(name)),
    ...rows.map((row) => fields.map(({ name }) => writeCell(cellOf(row, name)))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  return cell === '' ? '""' : writeText(String(cell));
}

function writeText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
