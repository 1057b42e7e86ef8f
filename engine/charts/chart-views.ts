import { CHART_NAMES, type Chart, type ChartName } from './chart.js';
import { MAX_SERIES } from './choose-chart.js';
import { formatOf } from './column-presentation.js';
import { fieldOf } from './label-text.js';
import { numberOf } from './number-text.js';
import { type ChartFields, type ChartRows, cellOf } from './result-column.js';

/** The views of charts between which a reader can choose: the kinds of charts, and other ways to draw lines and bars. */
export const CHART_VIEWS = [...CHART_NAMES, 'LogLineChart', 'StackedBarChart', 'ShareBarChart'] as const;

export type ChartView = (typeof CHART_VIEWS)[number];

/** The views in words. */
export const VIEW_LABELS: Readonly<Record<ChartView, string>> = {
  Table: 'Table',
  NumberCard: 'Number',
  BarChart: 'Bars',
  StackedBarChart: 'Stacked bars',
  ShareBarChart: 'Shares',
  LineChart: 'Lines',
  LogLineChart: 'Lines, logarithmic',
  PieChart: 'Pie',
  MapChart: 'Map',
  HeatMap: 'Heat map',
  PersonalCard: 'Person',
  RepoCard: 'Repository',
};

/** Returns the view of a chart, which is `_chart` in the URL of a page. */
export function viewOf(chart: Chart): ChartView {
  if (chart.chartName === 'LineChart' && chart.scale === 'log') return 'LogLineChart';
  if (chart.chartName === 'BarChart' && chart.stack !== undefined) return STACKED_VIEWS[chart.stack];
  return chart.chartName;
}

const STACKED_VIEWS = { total: 'StackedBarChart', share: 'ShareBarChart' } as const satisfies Record<string, ChartView>;

/** Returns a chart, followed by the other ways to draw it that suit the values. */
export function variantsOf(chart: Chart, fields: ChartFields, rows: ChartRows): readonly Chart[] {
  if (chart.chartName === 'LineChart')
    return [chart, ...(suitsLogScale(chart, rows) ? [{ ...chart, scale: 'log' } as const] : [])];
  if (chart.chartName !== 'BarChart' || !suitsStacks(chart, fields, rows)) return [chart];
  return [chart, { ...chart, stack: 'total' }, { ...chart, stack: 'share' }];
}

type AxisChart<Name extends ChartName> = Extract<Chart, { chartName: Name }>;

/** A column of ranks, in which 1 is the best. */
export const RANK = /(^|_)rank$/i;

/** The quotient of the highest and the lowest value from which on small values are hard to see on a linear axis. */
const MIN_QUOTIENT = 20;

/** Whether a logarithmic axis shows more than a linear one: the values are positive or 0, and differ by more than one order of magnitude. */
function suitsLogScale({ y }: AxisChart<'LineChart'>, rows: ChartRows): boolean {
  if (y.some((name) => RANK.test(name))) return false;
  const values = valuesOf(y, rows);
  if (values.some((value) => value < 0)) return false;
  const positive = values.filter((value) => value > 0);
  const [low, high] = [
    positive.reduce((a, b) => Math.min(a, b), Infinity),
    positive.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  return high >= MIN_QUOTIENT * low;
}

/** The formats of numbers that have a sum. */
const SUMMABLE = new Set(['number', 'change', 'bytes']);

/**
 * Whether the values of several series can be parts of a sum: they are all shown, have a common unit, and are whole numbers that are not
 * negative. Averages and percentiles are rarely whole.
 */
function suitsStacks({ y, series }: AxisChart<'BarChart'>, fields: ChartFields, rows: ChartRows): boolean {
  const columns = y.map((name) => fieldOf(fields, name));
  const [first] = columns;
  if (series === undefined && (y.length < 2 || first?.unit === undefined)) return false;
  if (series !== undefined && new Set(rows.map((row) => cellOf(row, series))).size > MAX_SERIES) return false;
  return (
    columns.every((field) => field.unit === first?.unit && SUMMABLE.has(formatOf(field)) && !RANK.test(field.name)) &&
    valuesOf(y, rows).every((value) => value >= 0 && Number.isInteger(value))
  );
}

function valuesOf(names: readonly string[], rows: ChartRows): readonly number[] {
  return rows.flatMap((row) => names.flatMap((name) => numberOf(cellOf(row, name)) ?? []));
}
