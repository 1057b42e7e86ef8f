import type { Chart } from '../chart.js';
import { MAX_CELLS, MAX_SERIES } from '../choose-chart.js';
import { columnText, fieldOf, labelText } from '../label-text.js';
import { isCompact } from '../look.js';
import { readBars } from '../read-bars.js';
import { type AxisColumns, byName } from '../read-lines.js';
import { type ChartFields, type ChartRows, cellOf, describeColumns } from '../result-column.js';
import { legendHeight } from './drawing.js';

/** The charts that ECharts draws. All other charts consist of text. */
const DRAWN = ['BarChart', 'LineChart', 'PieChart', 'MapChart', 'HeatMap'] as const;
export type DrawnChart = Extract<Chart, { chartName: (typeof DRAWN)[number] }>;

export function isDrawn(chart: Chart): chart is DrawnChart {
  return DRAWN.some((name) => name === chart.chartName);
}

const MAX_BARS = 20;

/** Returns a suitable height in pixels for a chart of this width. */
export function fittingHeight(chart: Chart, fields: ChartFields, rows: ChartRows, width: number): number {
  const usual = isCompact({ width }) ? 260 : 320;
  if (chart.chartName === 'MapChart') return Math.max(220, Math.min(460, Math.round(width * 0.5) + 32));
  if (chart.chartName === 'LineChart') return usual + legendHeight(seriesNames(chart, fields, rows), width);
  if (chart.chartName === 'HeatMap') {
    const count = new Set(rows.map((row) => cellOf(row, chart.row))).size || USUAL_CELLS;
    return HEAT_MAP_CHROME + Math.min(MAX_CELLS, count) * CELL_HEIGHT;
  }
  if (chart.chartName !== 'BarChart') return usual;
  const x = describeColumns(fields, rows).find(({ name }) => name === chart.x);
  if (x?.isTime || x?.isNumber) return usual + legendHeight(seriesNames(chart, fields, rows), width);
  const { labels, series } = readBars(chart, fields, rows);
  const legend = legendHeight(
    series.map(({ name }) => name),
    width,
  );
  return Math.max(140, BARS_CHROME + Math.min(MAX_BARS, labels.length) * barHeight(chart, series.length) + legend);
}

/** The height of the axis and of the scale of colours below the cells of a heat map. */
export const HEAT_MAP_CHROME = 84;
const CELL_HEIGHT = 26;
/** The number of rows of cells before the rows of the result are known: the days of a week. */
const USUAL_CELLS = 7;

/** The names in the legend of lines. */
function seriesNames({ y, series }: AxisColumns, fields: ChartFields, rows: ChartRows): string[] {
  if (series === undefined) return y.map((name) => columnText(fieldOf(fields, name)));
  const values = [...new Set(rows.map((row) => cellOf(row, series)))].slice(0, MAX_SERIES);
  return values
    .map((value) => ({ name: labelText(value) }))
    .sort(byName)
    .map(({ name }) => name);
}

/** The height of the axis below horizontal bars. */
export const BARS_CHROME = 44;

/** The height of the bars of a label, including the distance to the next ones. Without a stack, there is one horizontal bar per series. */
export function barHeight({ stack }: { readonly stack?: unknown }, series: number): number {
  return series === 1 || stack !== undefined ? 26 : 10 + series * 14;
}
