/** The kinds of charts. `Table` fits every result. */
export const CHART_NAMES = [
  'Table',
  'NumberCard',
  'BarChart',
  'LineChart',
  'PieChart',
  'MapChart',
  'HeatMap',
  'PersonalCard',
  'RepoCard',
] as const;

export type ChartName = (typeof CHART_NAMES)[number];

interface ChartAxes {
  readonly x: string;
  readonly y: readonly string[];
  /** The column whose values name the lines or bars. `y` then has one column. */
  readonly series?: string;
}

/** A chart of a result. The options name columns of the result. */
export type Chart = { readonly title: string } & (
  | { readonly chartName: 'Table'; readonly columns: readonly string[] }
  | { readonly chartName: 'NumberCard'; readonly value: string; readonly label?: string }
  | (ChartAxes & {
      readonly chartName: 'BarChart';
      /** The values of a label are one bar: the sum of the values, or their shares of it. By default, each value is a bar. */
      readonly stack?: 'total' | 'share';
    })
  | (ChartAxes & {
      readonly chartName: 'LineChart';
      /** The axis of values is logarithmic. */
      readonly scale?: 'log';
    })
  | { readonly chartName: 'PieChart'; readonly label: string; readonly value: string }
  | { readonly chartName: 'MapChart'; readonly country: string; readonly value: string }
  | { readonly chartName: 'HeatMap'; readonly column: string; readonly row: string; readonly value: string }
  | { readonly chartName: 'PersonalCard'; readonly login: string }
  | { readonly chartName: 'RepoCard'; readonly repo: string }
);
