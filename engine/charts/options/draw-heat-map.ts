import type { Chart } from '../chart.js';
import { MAX_CELLS } from '../choose-chart.js';
import { cellText, columnText, fieldOf, labelText, quantityText, shortLabel } from '../label-text.js';
import { isCompact, type Look, PALETTES, type Palette } from '../look.js';
import { numberOf } from '../number-text.js';
import { type ChartCell, type ChartFields, type ChartRows, cellOf } from '../result-column.js';
import { CHARACTER, type ChartOption, CONTAINED, type Drawing, hiddenNote, itemsOption } from './drawing.js';
import { HEAT_MAP_CHROME } from './fitting-height.js';
import { scaleOption } from './value-scale.js';

type HeatMap = Extract<Chart, { chartName: 'HeatMap' }>;

/** Draws a cell per column and row whose colour is its value. A cell without a value is empty. */
export function drawHeatMap(chart: HeatMap, fields: ChartFields, rows: ChartRows, look: Look): Drawing {
  const palette = PALETTES[look.theme];
  const { columns, lines, cells, hiddenColumns, hiddenLines } = readCells(chart, rows);
  const field = fieldOf(fields, chart.value);
  const texts = { columns: columns.map(labelText), lines: lines.map(labelText) };
  const textOf = ({ column, line, value }: Cell) =>
    `${columnText(fieldOf(fields, chart.row))} ${cellText(lines[line] ?? null)}, ${columnText(fieldOf(fields, chart.column))} ${cellText(columns[column] ?? null)}: ${quantityText(value, field, look.locale)}`;
  const labelWidth = Math.min(200, Math.floor(look.width * 0.3));
  return {
    option: {
      ...itemsOption(cells, textOf, palette, look),
      grid: { ...CONTAINED, left: 8, right: 12, top: 8, bottom: HEAT_MAP_CHROME - 24 },
      xAxis: {
        ...axisOption(texts.columns, palette),
        name: columnText(fieldOf(fields, chart.column)),
        nameLocation: 'middle',
        nameGap: 26,
        nameTextStyle: { color: palette.softText },
      },
      yAxis: {
        ...axisOption(
          texts.lines.map((text) => shortLabel(text, Math.floor(labelWidth / CHARACTER))),
          palette,
        ),
        inverse: true,
      },
      visualMap: scaleOption(
        cells.map(({ value }) => value),
        field,
        look,
      ),
      series: [
        {
          type: 'heatmap',
          name: columnText(field),
          data: cells.map(({ column, line, value }) => [column, line, value]),
          itemStyle: { borderColor: palette.surface, borderWidth: isCompact(look) ? 1 : 2 },
          emphasis: { itemStyle: { borderColor: palette.text } },
        },
      ],
    },
    notes: [
      ...hiddenNote(hiddenColumns, columns.length + hiddenColumns, 'columns'),
      ...hiddenNote(hiddenLines, lines.length + hiddenLines, 'rows'),
    ],
    summary: summarize(cells, textOf, `${columns.length} columns and ${lines.length} rows`),
  };
}

function axisOption(labels: readonly string[], palette: Palette): ChartOption {
  return {
    type: 'category',
    data: labels,
    axisTick: { show: false },
    axisLine: { show: false },
    splitArea: { show: true, areaStyle: { color: [palette.empty] } },
    axisLabel: { color: palette.softText, hideOverlap: true },
  };
}

/** A cell with its place in `columns` and `lines`. */
interface Cell {
  readonly column: number;
  readonly line: number;
  readonly value: number;
}

interface Cells {
  readonly columns: readonly ChartCell[];
  readonly lines: readonly ChartCell[];
  readonly cells: readonly Cell[];
  /** The numbers of columns and lines that are omitted because there are too many. */
  readonly hiddenColumns: number;
  readonly hiddenLines: number;
}

/** Reads the cells of rows. The values of all rows of a cell are added. Columns and lines are in the order of the rows; numbers are ordered. */
function readCells({ column, row: line, value }: HeatMap, rows: ChartRows): Cells {
  const allColumns = distinct(rows.map((row) => cellOf(row, column)));
  const allLines = distinct(rows.map((row) => cellOf(row, line)));
  const [columns, lines] = [allColumns.slice(0, MAX_CELLS), allLines.slice(0, MAX_CELLS)];
  const [columnOf, lineOf] = [placesOf(columns), placesOf(lines)];
  const cells = new Map<string, Cell>();
  for (const row of rows) {
    const [atColumn, atLine] = [columnOf.get(cellOf(row, column)), lineOf.get(cellOf(row, line))];
    const number = numberOf(cellOf(row, value));
    if (atColumn === undefined || atLine === undefined || number === null) continue;
    const key = `${atColumn} ${atLine}`;
    cells.set(key, { column: atColumn, line: atLine, value: (cells.get(key)?.value ?? 0) + number });
  }
  return {
    ...{ columns, lines, cells: [...cells.values()] },
    hiddenColumns: allColumns.length - columns.length,
    hiddenLines: allLines.length - lines.length,
  };
}

function distinct(values: readonly ChartCell[]): readonly ChartCell[] {
  const found = [...new Set(values)];
  return found.every((value) => typeof value === 'number') ? found.sort((a, b) => Number(a) - Number(b)) : found;
}

function placesOf(values: readonly ChartCell[]): ReadonlyMap<ChartCell, number> {
  return new Map(values.map((value, place) => [value, place]));
}

const MAX_SUMMARIZED = 5;

function summarize(cells: readonly Cell[], textOf: (cell: Cell) => string, size: string): string {
  const highest = [...cells].sort((a, b) => b.value - a.value).slice(0, MAX_SUMMARIZED);
  return `Heat map with ${size}. Highest: ${highest.map(textOf).join('; ')}.`;
}
