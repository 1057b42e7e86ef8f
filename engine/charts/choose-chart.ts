import type { Chart } from './chart.js';
import { linesOverTime } from './lines-over-time.js';
import { type ChartFields, type ChartRows, cellOf, describeColumns, type ResultColumn } from './result-column.js';

/** The maximum number of characters of the title of a chart. */
export const MAX_TITLE_LENGTH = 200;
/** The maximum number of series: lines of a chart, or bars per label. */
export const MAX_SERIES = 10;

/**
 * Chooses the chart that shows a result best. Equal results get equal charts. The first rule that fits decides:
 *
 * | result | chart |
 * |---|---|
 * | one row with one number, and at most one label | NumberCard |
 * | one row with a login | PersonalCard |
 * | one row with a repository | RepoCard |
 * | times and numbers, without people or repositories | LineChart |
 * | times, at most ten names, and a number of each name at each time | LineChart with `series` |
 * | country codes and a number | MapChart |
 * | few labels and their shares of one whole | PieChart |
 * | labels and a number | BarChart |
 * | a number for most pairs of two labels | HeatMap |
 * | any other | Table |
 */
export function chooseChart(title: string, fields: ChartFields, rows: ChartRows): Chart {
  const columns = describeColumns(fields, rows);
  const chosen = rows.length === 1 ? chooseCard(columns) : chooseAxes(columns, rows);
  return { title: toTitle(title), ...(chosen ?? { chartName: 'Table', columns: fields.map(({ name }) => name) }) };
}

/** A chart without its title. */
type Options<Kind extends Chart = Chart> = Kind extends Chart ? Omit<Kind, 'title'> : never;

const MAX_SLICES = 8;
const MAX_BARS = 100;
const DEFAULT_TITLE = 'Result';

function chooseCard(columns: readonly ResultColumn[]): Options | undefined {
  const login = columns.find(({ isLogin }) => isLogin);
  const repo = columns.find(({ isRepo }) => isRepo);
  const [number, ...others] = columns.filter(({ isMeasure }) => isMeasure);
  const labels = columns.filter(({ isMeasure }) => !isMeasure);
  const [label] = labels;
  if (login !== undefined) return { chartName: 'PersonalCard', login: login.name };
  if (repo !== undefined) return { chartName: 'RepoCard', repo: repo.name };
  const [only] = columns;
  if (columns.length === 1 && only?.isNumber) return { chartName: 'NumberCard', value: only.name };
  if (number === undefined || others.length > 0 || labels.length > 1) return undefined;
  return { chartName: 'NumberCard', value: number.name, ...(label !== undefined && { label: label.name }) };
}

function chooseAxes(columns: readonly ResultColumn[], rows: ChartRows): Options | undefined {
  const measures = columns.filter(({ isMeasure }) => isMeasure);
  // A share is excluded, because it shows the same fact as its count.
  const counts = measures.filter(({ isShare }) => !isShare);
  // In a ranking, the number by which the rows are sorted is the most important one.
  const value = counts.find(({ isDescending }) => isDescending) ?? counts[0] ?? measures[0];
  if (value === undefined || rows.length === 0) return undefined;
  // Rows about people or repositories can contain times, such as the first contribution. Such times are not shown as an axis.
  const subject = columns.find(({ isLogin, isRepo, isUnique }) => (isLogin || isRepo) && isUnique);
  const time = columns.find(({ isTime, isUnique }) => isTime && isUnique);
  if (time !== undefined && subject === undefined) {
    const y = (counts.length > 0 ? counts : measures).slice(0, MAX_SERIES).map(({ name }) => name);
    return { chartName: 'LineChart', x: time.name, y };
  }
  const lines = linesOverTime(columns, rows, value.name);
  if (lines !== undefined && countDistinct(rows, lines.series) <= MAX_SERIES) return lines;
  const country = columns.find(({ isCountry, isUnique }) => isCountry && isUnique);
  if (country !== undefined) return { chartName: 'MapChart', country: country.name, value: value.name };
  const cells = measures.length === 1 ? cellsOf(columns, rows) : undefined;
  if (cells !== undefined) return { ...cells, value: value.name };
  const label = subject ?? columns.find(isLabel) ?? columns.find(isNumberedLabel);
  const share = measures.find(({ isShare }) => isShare);
  if (label === undefined || rows.length > MAX_BARS) return undefined;
  if (share !== undefined && rows.length <= MAX_SLICES) {
    return { chartName: 'PieChart', label: label.name, value: share.name };
  }
  return { chartName: 'BarChart', x: label.name, y: [value.name] };
}

/** Returns the columns and rows of a heat map, if each pair of two labels has at most one row, and most pairs have one. */
function cellsOf(columns: readonly ResultColumn[], rows: ChartRows) {
  const [row, column, ...others] = columns.filter(({ isMeasure }) => !isMeasure);
  if (row === undefined || column === undefined || others.length > 0) return undefined;
  if ([row, column].some(({ name, isUnique, isTime }) => isUnique || isTime || ID_NAME.test(name))) return undefined;
  const [high, wide] = [countDistinct(rows, row.name), countDistinct(rows, column.name)];
  const pairs = new Set(rows.map((one) => JSON.stringify([cellOf(one, row.name), cellOf(one, column.name)])));
  const isGrid = Math.min(high, wide) >= MIN_CELLS && Math.max(high, wide) <= MAX_CELLS;
  if (!isGrid || pairs.size < rows.length || rows.length < MIN_FILLED * high * wide) return undefined;
  return { chartName: 'HeatMap', column: column.name, row: row.name } as const;
}

/** Ids name something, but say nothing to a reader. */
const ID_NAME = /(?:^|_)id$/i;
/** The share of the pairs that must have a number. */
const MIN_FILLED = 0.5;
/** The minimum and maximum number of rows, and of columns, of cells. */
const MIN_CELLS = 3;
export const MAX_CELLS = 60;

function countDistinct(rows: ChartRows, name: string): number {
  return new Set(rows.map((row) => cellOf(row, name))).size;
}

function isLabel({ isNumber, isUnique }: ResultColumn): boolean {
  return !isNumber && isUnique;
}

/** Returns true for numbers that name something, such as the hour of a day. */
function isNumberedLabel({ isNumber, isMeasure, isUnique }: ResultColumn): boolean {
  return isNumber && !isMeasure && isUnique;
}

/** Characters that are not visible, or that change the direction of the text after them. */
export const UNSUITABLE_IN_TITLE = /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

function toTitle(text: string): string {
  const clean = text.replaceAll(new RegExp(UNSUITABLE_IN_TITLE, 'gu'), ' ').replaceAll(/\s+/g, ' ').trim();
  const characters = [...clean];
  if (characters.length === 0) return DEFAULT_TITLE;
  return characters.length > MAX_TITLE_LENGTH ? `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…` : clean;
}
