import type { Chart } from '../chart.js';
import { readBars } from '../data/read-bars.js';
import { isCompact, type Look } from '../look.js';
import { type ChartFields, type ChartRows, describeColumns } from '../result-column.js';
import { drawBars, heightOfBars } from './draw-bars.js';
import { drawLines } from './draw-lines.js';
import { drawMap } from './draw-map.js';
import { drawPie } from './draw-pie.js';
import type { Drawing } from './drawing.js';

/** The charts that ECharts draws. The others are text. */
export type DrawnChart = Extract<Chart, { chartName: 'BarChart' | 'LineChart' | 'PieChart' | 'MapChart' }>;

export function isDrawn(chart: Chart): chart is DrawnChart {
  return DRAWN.has(chart.chartName);
}

const DRAWN: ReadonlySet<string> = new Set(['BarChart', 'LineChart', 'PieChart', 'MapChart']);

/** Returns the options with which ECharts draws a chart of a result, and the texts that belong to it. */
export function drawChart(chart: DrawnChart, fields: ChartFields, rows: ChartRows, look: Look): Drawing {
  switch (chart.chartName) {
    case 'LineChart':
      return drawLines({ ...chart, chartName: 'LineChart' }, fields, rows, look);
    case 'BarChart':
      return drawBars({ ...chart, chartName: 'BarChart' }, fields, rows, look);
    case 'PieChart':
      return drawPie(chart, rows, look);
    case 'MapChart':
      return drawMap(chart, rows, look);
  }
}

const MAX_BARS = 20;

/** Returns the height in pixels that shows a chart well at a width. */
export function fittingHeight(chart: Chart, fields: ChartFields, rows: ChartRows, width: number): number {
  const usual = isCompact({ width }) ? 260 : 320;
  if (chart.chartName === 'MapChart') return Math.max(220, Math.min(460, Math.round(width * 0.5) + 32));
  if (chart.chartName !== 'BarChart') return usual;
  const x = describeColumns(fields, rows).find(({ name }) => name === chart.x);
  if (x?.isTime || x?.isNumber) return usual;
  const { labels, series } = readBars(chart, rows);
  return Math.max(140, heightOfBars(Math.min(MAX_BARS, labels.length), series.length));
}
