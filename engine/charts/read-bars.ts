import { MAX_SERIES } from './choose-chart.js';
import { columnText, fieldOf, labelText } from './label-text.js';
import { type AxisColumns, byName } from './read-lines.js';
import { type ChartCell, type ChartFields, type ChartRows, cellOf } from './result-column.js';

export interface Bars {
  /** The labels of the bars, in the order of the rows. */
  readonly labels: readonly ChartCell[];
  /** Each series has one value per label, or null where it has no value. */
  readonly series: readonly { readonly name: string; readonly values: readonly ChartCell[] }[];
  /** The number of series that `series` omits because there are too many. */
  readonly hidden: number;
}

/** Reads the bars of rows. With a column `series`, the rows with the same `x` are one group. */
export function readBars({ x, y, series }: AxisColumns, fields: ChartFields, rows: ChartRows): Bars {
  if (series === undefined) {
    return {
      labels: rows.map((row) => cellOf(row, x)),
      series: y.map((name) => ({
        name: columnText(fieldOf(fields, name)),
        values: rows.map((row) => cellOf(row, name)),
      })),
      hidden: 0,
    };
  }
  const labels = [...new Set(rows.map((row) => cellOf(row, x)))];
  const names = [...new Set(rows.map((row) => cellOf(row, series)))];
  const placeOf = new Map(labels.map((label, index) => [label, index]));
  const shown = names.slice(0, MAX_SERIES).map((name) => {
    const values: ChartCell[] = labels.map(() => null);
    for (const row of rows) {
      if (cellOf(row, series) === name) values[placeOf.get(cellOf(row, x)) ?? 0] = cellOf(row, y[0] ?? '');
    }
    return { name: labelText(name), values };
  });
  return { labels, series: shown.sort(byName), hidden: names.length - shown.length };
}
