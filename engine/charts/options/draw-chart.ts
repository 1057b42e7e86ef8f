import { type ChartSource, incompleteRanges, type TimeRange } from '../incomplete-times.js';
import type { Look } from '../look.js';
import type { ChartFields, ChartRows } from '../result-column.js';
import { drawBars } from './draw-bars.js';
import { drawHeatMap } from './draw-heat-map.js';
import { drawLines } from './draw-lines.js';
import { drawMap } from './draw-map.js';
import { drawPie } from './draw-pie.js';
import { type Drawing, UNKNOWN_NOTE } from './drawing.js';
import type { DrawnChart } from './fitting-height.js';

/** Facts about the rows, which a chart states in its notes. */
export interface RowsState {
  /** Whether the result has more rows than the given ones. */
  readonly isPart?: boolean;
  /** The sources of the numbers; null if they could not be read completely. */
  readonly sources?: readonly ChartSource[] | null;
  /** The time of the newest data (ISO 8601); null if it is unknown. */
  readonly dataAsOf?: string | null;
}

/** Returns the options with which ECharts draws a chart of a result, and the texts that belong to it. */
export function drawChart(
  chart: DrawnChart,
  fields: ChartFields,
  rows: ChartRows,
  look: Look,
  { isPart = false, sources = [], dataAsOf = null }: RowsState = {},
): Drawing {
  const incomplete = incompleteRanges(sources ?? []);
  const drawing = draw(chart, fields, rows, look, { isPart, incomplete, dataAsOf });
  return sources === null ? { ...drawing, notes: [...drawing.notes, UNKNOWN_NOTE] } : drawing;
}

interface Shown {
  readonly isPart: boolean;
  readonly incomplete: readonly TimeRange[];
  readonly dataAsOf: string | null;
}

function draw(
  chart: DrawnChart,
  fields: ChartFields,
  rows: ChartRows,
  look: Look,
  { isPart, ...times }: Shown,
): Drawing {
  switch (chart.chartName) {
    case 'LineChart':
      return drawLines(chart, fields, rows, look, times);
    case 'BarChart':
      return drawBars(chart, fields, rows, look, times);
    case 'PieChart':
      return drawPie(chart, fields, rows, look, isPart);
    case 'HeatMap':
      return drawHeatMap(chart, fields, rows, look);
    case 'MapChart':
      return drawMap(chart, fields, rows, look);
  }
}
