import { MAX_SERIES } from './choose-chart.js';
import { columnText, fieldOf, labelText } from './label-text.js';
import { numberOf } from './number-text.js';
import { type ChartCell, type ChartFields, type ChartRows, cellOf } from './result-column.js';
import { timeOf } from './time-text.js';

/** A point of a line. If `y` is null, the line has a gap. `hidden` is a known value that the axis cannot show. */
export type Point = readonly [x: number, y: number | null, hidden?: number];

export interface Line {
  readonly name: string;
  /** The points, sorted by x. */
  readonly points: readonly Point[];
}

export interface Lines {
  readonly lines: readonly Line[];
  /** The number of lines that `lines` omits because there are too many. */
  readonly hidden: number;
  /** The number of rows whose x value cannot be placed on the axis. */
  readonly unplaced: number;
}

/** The columns of a chart with axes. */
export interface AxisColumns {
  readonly x: string;
  readonly y: readonly string[];
  readonly series?: string;
}

/** Orders series by name, so that charts of the same names give each of them the same colour. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return NAMES.compare(one.name, other.name);
}

const NAMES = new Intl.Collator('en', { numeric: true });

/** Reads the lines of rows: one per column of `y`, or one per value of the column `series`. */
export function readLines({ x, y, series }: AxisColumns, fields: ChartFields, rows: ChartRows, isTime: boolean): Lines {
  const placeOf = (cell: ChartCell) => (isTime ? timeOf(cell) : numberOf(cell));
  const lines = new Map<ChartCell | symbol, { readonly name: string; readonly points: Point[] }>();
  const add = (key: ChartCell | symbol, name: () => string, point: Point) => {
    const line = lines.get(key) ?? { name: name(), points: [] };
    line.points.push(point);
    lines.set(key, line);
  };
  const keys = y.map((name) => Symbol(name));
  let unplaced = 0;
  for (const row of rows) {
    const place = placeOf(cellOf(row, x));
    if (place === null) {
      unplaced += 1;
      continue;
    }
    if (series !== undefined) {
      const key = cellOf(row, series);
      add(key, () => labelText(key), [place, numberOf(cellOf(row, y[0] ?? ''))]);
      continue;
    }
    for (const [index, name] of y.entries()) {
      add(keys[index] ?? null, () => columnText(fieldOf(fields, name)), [place, numberOf(cellOf(row, name))]);
    }
  }
  const all = [...lines.values()].map(({ name, points }) => ({ name, points: points.sort(([a], [b]) => a - b) }));
  const shown = all.slice(0, MAX_SERIES);
  return {
    lines: series === undefined ? shown : shown.sort(byName),
    hidden: Math.max(0, all.length - MAX_SERIES),
    unplaced,
  };
}
