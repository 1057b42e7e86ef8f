import type { Chart } from './chart.js';

/** A chart that a file declares. Its keys are checked with `schemas/chart.schema.json`. Without a title, it gets that of its result. */
export type DeclaredChart = Untitled<Chart> & { readonly title?: string };

/** A column with its declared type, such as BIGINT. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: string;
}

/** A mistake in a declared chart. */
export interface ChartFault {
  /** The path of the mistake in the chart, such as `['y', 0]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  /** The column that does not exist. */
  readonly unknownColumn?: string;
}

/** Checks that the columns of a declared chart exist, and that their types fit. Values can still be unsuitable, such as a text without a date. */
export function checkChart(chart: DeclaredChart, columns: readonly DeclaredColumn[]): readonly ChartFault[] {
  const options = optionsOf(chart);
  return [
    ...options.flatMap(({ path, name, requirement }): readonly ChartFault[] => {
      const type = columns.find((column) => column.name === name)?.type;
      if (type === undefined) {
        return [{ path, message: `"${name}" is not a column of the endpoint`, unknownColumn: name }];
      }
      if (requirement.isMet(type)) return [];
      return [{ path, message: `the column "${name}" has the wrong type`, expected: requirement.expected, got: type }];
    }),
    ...checkRepeats(options),
    ...checkSeries(chart),
  ];
}

/** A chart without its title. */
type Untitled<Kind extends Chart> = Kind extends Chart ? Omit<Kind, 'title'> : never;

interface Requirement {
  readonly expected: string;
  readonly isMet: (type: string) => boolean;
}

/** A column name in an option of a chart. */
interface Option {
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly requirement: Requirement;
}

const NUMBER = /^((UNSIGNED )?(BIG|MEDIUM|SMALL|TINY)?INT|DECIMAL|DOUBLE|FLOAT|YEAR)$/;
const TIME = /^(DATE|DATETIME|TIMESTAMP|TIME)$/;
const TEXT = /^((VAR)?CHAR|(TINY|MEDIUM|LONG)?TEXT|ENUM)$/;

const ANY: Requirement = { expected: 'any column', isMet: () => true };
const NUMBERS: Requirement = { expected: 'numbers', isMet: (type) => NUMBER.test(type) };
const TEXTS: Requirement = { expected: 'text', isMet: (type) => TEXT.test(type) };
const ORDERED: Requirement = {
  expected: 'dates, times, numbers, or text with dates',
  isMet: (type) => NUMBER.test(type) || TIME.test(type) || TEXT.test(type),
};

function optionsOf(chart: DeclaredChart): readonly Option[] {
  switch (chart.chartName) {
    case 'Table':
      return list('columns', chart.columns, ANY);
    case 'NumberCard':
      return [...one('value', chart.value, NUMBERS), ...one('label', chart.label, ANY)];
    case 'BarChart':
      return [...one('x', chart.x, ANY), ...list('y', chart.y, NUMBERS), ...one('series', chart.series, ANY)];
    case 'LineChart':
      return [...one('x', chart.x, ORDERED), ...list('y', chart.y, NUMBERS), ...one('series', chart.series, ANY)];
    case 'PieChart':
      return [...one('label', chart.label, ANY), ...one('value', chart.value, NUMBERS)];
    case 'MapChart':
      return [...one('country', chart.country, TEXTS), ...one('value', chart.value, NUMBERS)];
    case 'HeatMap':
      return [
        ...one('column', chart.column, ANY),
        ...one('row', chart.row, ANY),
        ...one('value', chart.value, NUMBERS),
      ];
    case 'PersonalCard':
      return one('login', chart.login, TEXTS);
    case 'RepoCard':
      return one('repo', chart.repo, TEXTS);
  }
}

function one(option: string, name: string | undefined, requirement: Requirement): readonly Option[] {
  return name === undefined ? [] : [{ path: [option], name, requirement }];
}

function list(option: string, names: readonly string[], requirement: Requirement): readonly Option[] {
  return names.map((name, index) => ({ path: [option, index], name, requirement }));
}

/** Reports columns that the chart shows twice. */
function checkRepeats(options: readonly Option[]): readonly ChartFault[] {
  return options.flatMap(({ path, name }, index) => {
    const isRepeated = options.findIndex((other) => other.name === name) < index;
    return isRepeated ? [{ path, message: `the chart already shows the column "${name}"` }] : [];
  });
}

function checkSeries(chart: DeclaredChart): readonly ChartFault[] {
  if (!('series' in chart) || chart.series === undefined || chart.y.length === 1) return [];
  const message = 'a chart with series has one column of numbers: each value of the series is one line or bar';
  return [{ path: ['y'], message, expected: 'a list of 1 column', got: `${chart.y.length} columns` }];
}
