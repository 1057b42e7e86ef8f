import { cellFormat } from '../../engine/charts/cell-format.js';
import { cellText, headingText } from '../../engine/charts/label-text.js';
import { PALETTES, type Theme } from '../../engine/charts/look.js';
import { type ChartField, type ChartFields, type ChartRows, cellOf } from '../../engine/charts/result-column.js';
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
  for (const { heading, texts, isNumber, space } of columns) {
    const [x, anchor] = isNumber ? [left + space, 'end' as const] : [left, 'start' as const];
    svg += svgText(cutText(heading, space, SIZE), x, 14, { size: SIZE, color: palette.softText, anchor });
    for (const [index, text] of texts.entries()) {
      svg += svgText(cutText(text, space, SIZE), x, 14 + ROW * (index + 1), {
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

interface TableColumn extends CellTexts {
  readonly heading: string;
  readonly space: number;
}

function fittingColumns(fields: ChartFields, rows: ChartRows, shown: ChartRows, width: number): TableColumn[] {
  const columns: TableColumn[] = [];
  let left = 0;
  for (const field of fields) {
    const { texts, isNumber } = cellTexts(field, rows, shown);
    const heading = headingText(field);
    const widest = Math.max(...[heading, ...texts].map((text) => textWidth(text, SIZE)));
    const space = Math.min(MAX_COLUMN, Math.ceil(widest));
    if (columns.length > 0 && left + space > width) break;
    columns.push({ heading, isNumber, texts, space: Math.min(space, width) });
    left += space + GAP;
  }
  return columns;
}

interface CellTexts {
  readonly isNumber: boolean;
  readonly texts: readonly string[];
}

/** Formats the cells of a column in the shown rows. */
export function cellTexts(field: ChartField, rows: ChartRows, shown = rows): CellTexts {
  const { isNumber, format } = cellFormat(field, rows, LOCALE);
  return { isNumber, texts: shown.map((row) => cellText(format(cellOf(row, field.name)))) };
}
