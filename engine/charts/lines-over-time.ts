import { type ChartRows, cellOf, type ResultColumn } from './result-column.js';

/** The options of a chart with one line per name. */
export interface LinesOverTime {
  readonly chartName: 'LineChart';
  readonly x: string;
  readonly y: readonly [string];
  readonly series: string;
}

/** Returns a chart with one line per name, if each name has at most one row per time. */
export function linesOverTime(
  columns: readonly ResultColumn[],
  rows: ChartRows,
  value: string,
): LinesOverTime | undefined {
  const time = columns.find(({ isTime }) => isTime);
  const series = columns.find(({ isTime, isNumber, isUnique }) => !isTime && !isNumber && !isUnique);
  if (time === undefined || series === undefined) return undefined;
  const places = new Set(rows.map((row) => JSON.stringify([cellOf(row, time.name), cellOf(row, series.name)])));
  if (places.size < rows.length || new Set(rows.map((row) => cellOf(row, time.name))).size < 2) return undefined;
  return { chartName: 'LineChart', x: time.name, y: [value], series: series.name };
}
