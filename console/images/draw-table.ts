import { cellText, columnText } from '../../engine/charts/label-text.js';
import { PALETTES, type Theme } from '../../engine/charts/look.js';
import { numberText } from '../../engine/charts/number-text.js';
import {
  type ChartFields,
  type ChartRow,
  type ChartRows,
  cellOf,
  describeColumns,
} from '../../engine/charts/result-column.js';
import { cutText, svgText, textWidth } from './svg-text.js';

export interface DrawnContent {
  readonly svg: string;
  readonly height: number;
  /** Notes about parts that the image omits. */
  readonly notes: readonly string[];
  /** A description of the image for readers who cannot see it. */
  readonly summary: string;
}

export interface Area {
  readonly theme: Theme;
  readonly width: number;
  readonly height?: number;
}

const SIZE = 12;
const ROW = 22;
const GAP = 16;
const MAX_ROWS = 15;
const MAX_COLUMN = 260;
const LOCALE = 'en';

/** Draws the first rows and columns as a table. */
export function drawTable(
  fields: ChartFields,
  rows: ChartRows,
  { theme, width, height = Infinity }: Area,
): DrawnContent {
  const palette = PALETTES[theme];
  const shownRows = rows.slice(0, Math.max(1, Math.min(MAX_ROWS, Math.floor(height / ROW) - 1)));
  const columns = fittingColumns(fields, rows, shownRows, width);
  let svg = '';
  let left = 0;
  for (const { name, cells, isNumber, space } of columns) {
    const [x, anchor] = isNumber ? [left + space, 'end' as const] : [left, 'start' as const];
    svg += svgText(cutText(columnText(name), space, SIZE), x, 14, { size: SIZE, color: palette.softText, anchor });
    for (const [index, cell] of cells.entries()) {
      svg += svgText(cutText(cell, space, SIZE), x, 14 + ROW * (index + 1), {
        size: SIZE,
        color: palette.text,
        anchor,
      });
    }
    left += space + GAP;
  }
  for (let index = 1; index <= shownRows.length; index += 1) {
    svg += `<path d="M0 ${ROW * index - 2}H${width}" stroke="${palette.line}"/>`;
  }
  return {
    svg,
    height: ROW * (shownRows.length + 1),
    notes: [
      ...(shownRows.length < rows.length ? [`${shownRows.length} of ${rows.length} rows are shown.`] : []),
      ...(columns.length < fields.length ? [`${columns.length} of ${fields.length} columns are shown.`] : []),
    ],
    summary: `Table with ${rows.length} rows.`,
  };
}

interface TableColumn {
  readonly name: string;
  readonly isNumber: boolean;
  readonly cells: readonly string[];
  readonly space: number;
}

function fittingColumns(fields: ChartFields, rows: ChartRows, shown: ChartRows, width: number): TableColumn[] {
  const facts = describeColumns(fields, rows);
  const columns: TableColumn[] = [];
  let left = 0;
  for (const { name, isNumber, isMeasure } of facts) {
    const cells = shown.map((row) => tableCell(row, name, isMeasure));
    const widest = Math.max(...[columnText(name), ...cells].map((text) => textWidth(text, SIZE)));
    const space = Math.min(MAX_COLUMN, Math.ceil(widest));
    if (columns.length > 0 && left + space > width) break;
    columns.push({ name, isNumber, cells, space: Math.min(space, width) });
    left += space + GAP;
  }
  return columns;
}

/** Formats a cell. Ids and years are treated as names: they get no digit separators. */
export function tableCell(row: ChartRow, name: string, isMeasure: boolean): string {
  const cell = cellOf(row, name);
  if (cell === null) return '–';
  return isMeasure ? numberText(cell, LOCALE) : cellText(cell);
}
