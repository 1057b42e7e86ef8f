import type { ChartName } from './chart.js';
import { MAX_SERIES, MAX_TITLE_LENGTH } from './choose-chart.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const COLUMN = (description: string): JsonSchema => ({ type: 'string', description });
const COLUMNS = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });

/** The options of each chart. Every option names a column of the result, or a list of columns. */
const OPTIONS: Readonly<Record<ChartName, Readonly<Record<string, JsonSchema>>>> = {
  Table: { columns: COLUMNS('The columns, in their order.') },
  NumberCard: { value: COLUMN('A column of numbers.'), label: COLUMN('The column that names the number.') },
  BarChart: {
    x: COLUMN('The column of the labels.'),
    y: COLUMNS(`1 to ${MAX_SERIES} columns of numbers.`),
    series: COLUMN('The column whose values name the bars; y then has one column.'),
  },
  LineChart: {
    x: COLUMN('A column of dates, times or numbers.'),
    y: COLUMNS(`1 to ${MAX_SERIES} columns of numbers.`),
    series: COLUMN('The column whose values name the lines; y then has one column.'),
  },
  PieChart: { label: COLUMN('The column of the labels.'), value: COLUMN('A column of numbers of 0 or more.') },
  MapChart: { country: COLUMN('A column of ISO 3166-1 country codes.'), value: COLUMN('A column of numbers.') },
  HeatMap: {
    column: COLUMN('The column whose values are the columns of cells, such as the hour.'),
    row: COLUMN('The column whose values are the rows of cells, such as the weekday.'),
    value: COLUMN('A column of numbers.'),
  },
  PersonalCard: { login: COLUMN('A column with the login of a person.') },
  RepoCard: { repo: COLUMN('A column with the name of a repository, as owner/name.') },
};

/**
 * The JSON Schema of the charts of one kind. Some model servers accept only schemas in which every property is
 * required. So a chart with an optional property has two schemas.
 */
export const SCHEMAS_OF_CHARTS: Readonly<Record<ChartName, readonly JsonSchema[]>> = {
  Table: [schemaOf('Table')],
  NumberCard: [schemaOf('NumberCard'), schemaOf('NumberCard', ['label'])],
  BarChart: [schemaOf('BarChart'), schemaOf('BarChart', ['series'])],
  LineChart: [schemaOf('LineChart'), schemaOf('LineChart', ['series'])],
  PieChart: [schemaOf('PieChart')],
  MapChart: [schemaOf('MapChart')],
  HeatMap: [schemaOf('HeatMap')],
  PersonalCard: [schemaOf('PersonalCard')],
  RepoCard: [schemaOf('RepoCard')],
};

/**
 * The JSON Schema of the charts that a model can choose. It contains only keywords that servers with strict output know; `validateChart` also
 * checks the lengths and the columns. Heat maps are excluded, because each kind makes every prompt longer.
 */
export const CHART_SCHEMA: JsonSchema = {
  anyOf: Object.entries(SCHEMAS_OF_CHARTS).flatMap(([name, schemas]) => (name === 'HeatMap' ? [] : schemas)),
};

function schemaOf(chartName: ChartName, without: readonly string[] = []): JsonSchema {
  const options = Object.entries(OPTIONS[chartName]).filter(([name]) => !without.includes(name));
  const properties: Record<string, JsonSchema> = {
    chartName: { type: 'string', enum: [chartName] },
    title: { type: 'string', description: `1 to ${MAX_TITLE_LENGTH} characters in one line.` },
    ...Object.fromEntries(options),
  };
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
