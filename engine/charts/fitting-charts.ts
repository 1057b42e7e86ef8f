import type { Chart, ChartName } from './chart.js';
import { variantsOf, viewOf } from './chart-views.js';
import type { DeclaredChart } from './check-chart.js';
import { chooseChart, MAX_SERIES } from './choose-chart.js';
import { linesOverTime } from './lines-over-time.js';
import { type ChartFields, type ChartRows, cellOf, describeColumns, type ResultColumn } from './result-column.js';

/** A result with more rows than this gets no pie chart. */
const MAX_PIE_ROWS = 50;

/**
 * Returns the charts that can show a result, at most one of each kind, so that a reader can switch between them. The
 * first one is the result of `chooseChart`; `Table` fits every result.
 */
export function fittingCharts(title: string, fields: ChartFields, rows: ChartRows): readonly Chart[] {
  const chosen = chooseChart(title, fields, rows);
  const columns = describeColumns(fields, rows);
  const others = rows.length === 0 ? [] : possibleCharts(columns, rows, chosen);
  const table = { chartName: 'Table', columns: fields.map(({ name }) => name) } as const;
  return [chosen, ...[...others, table].map((options): Chart => ({ ...options, title: chosen.title }))].filter(
    ({ chartName }, index, all) => all.findIndex((other) => other.chartName === chartName) === index,
  );
}

/**
 * Returns the chart to show for a result, and all charts to which the reader can switch. `preferred` is the chart of
 * the definition, which is used if it fits the number of rows; `view` is the view that the reader has chosen.
 */
export function selectChart(
  { title, fields, rows }: { readonly title: string; readonly fields: ChartFields; readonly rows: ChartRows },
  preferred: Chart | null,
  view: string | undefined,
): { readonly chart: Chart; readonly fitting: readonly Chart[] } {
  const possible = fittingCharts(title, fields, rows);
  const isFitting = preferred !== null && (CARDS.has(preferred.chartName) ? rows.length === 1 : rows.length > 0);
  const others = possible.filter(({ chartName }) => chartName !== preferred?.chartName);
  const fitting = (isFitting ? [preferred, ...others] : possible).flatMap((chart) => variantsOf(chart, fields, rows));
  const [first] = fitting;
  const chart = fitting.find((one) => viewOf(one) === view) ?? first;
  if (chart === undefined) throw new Error('Every result has a chart.');
  return { chart, fitting };
}

/** Returns a declared chart with the title of its result, if it has no own title. */
export function withTitle(chart: DeclaredChart, title: string): Chart {
  return { ...chart, title: chart.title ?? title };
}

/** Whether two charts show the same columns in the same way. Their titles can differ. */
export function isSameChart(one: DeclaredChart, other: DeclaredChart): boolean {
  const textOf = ({ title: _, ...options }: DeclaredChart) => JSON.stringify(Object.entries(options).sort());
  return textOf(one) === textOf(other);
}

/** The charts that show a single row. */
const CARDS: ReadonlySet<ChartName> = new Set(['NumberCard', 'PersonalCard', 'RepoCard']);

type Options = Chart extends infer Kind ? (Kind extends Chart ? Omit<Kind, 'title'> : never) : never;

function possibleCharts(columns: readonly ResultColumn[], rows: ChartRows, chosen: Chart): readonly Options[] {
  const measures = columns.filter(({ isMeasure }) => isMeasure);
  const value = firstValue(chosen) ?? measures.find(({ isShare }) => !isShare)?.name ?? measures[0]?.name;
  if (value === undefined) return [];
  const label = columns.find((column) => isLabelColumn(column, value));
  const time = columns.find(({ isTime, isUnique }) => isTime && isUnique);
  const country = columns.find(({ isCountry, isUnique }) => isCountry && isUnique);
  const y = measures.slice(0, MAX_SERIES).map(({ name }) => name);
  const charts: (Options | undefined)[] = [
    time && rows.length > 1 ? { chartName: 'LineChart', x: time.name, y } : linesOverTime(columns, rows, value),
    label && rows.length > 1 ? { chartName: 'BarChart', x: label.name, y: [value] } : undefined,
    label && !label.isTime && isWhole(rows, value) ? { chartName: 'PieChart', label: label.name, value } : undefined,
    country && { chartName: 'MapChart', country: country.name, value },
    rows.length === 1 ? { chartName: 'NumberCard', value, ...(label && { label: label.name }) } : undefined,
  ];
  return charts.filter((options) => options !== undefined);
}

function firstValue(chart: Chart): string | undefined {
  if ('y' in chart) return chart.y[0];
  return 'value' in chart ? chart.value : undefined;
}

function isLabelColumn({ name, isUnique, isMeasure }: ResultColumn, value: string): boolean {
  return isUnique && !isMeasure && name !== value;
}

function isWhole(rows: ChartRows, value: string): boolean {
  const numbers = rows.map((row) => Number(cellOf(row, value) ?? Number.NaN));
  return rows.length > 1 && rows.length <= MAX_PIE_ROWS && numbers.every((number) => number >= 0);
}
