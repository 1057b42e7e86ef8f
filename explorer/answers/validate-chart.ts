import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { CHART_NAMES, type Chart, type ChartName } from '../../engine/charts/chart.js';
import { SCHEMAS_OF_CHARTS } from '../../engine/charts/chart-schema.js';
import { MAX_SERIES, MAX_TITLE_LENGTH, UNSUITABLE_IN_TITLE } from '../../engine/charts/choose-chart.js';
import {
  type ChartFields,
  type ChartRows,
  cellOf,
  describeColumns,
  type ResultColumn,
} from '../../engine/charts/result-column.js';
import { didYouMean, expectedBySchema } from '../../engine/index.js';

export type ChartValidation = { readonly chart: Chart } | { readonly error: string };

/**
 * Validates a chart of a model. The chart must match the schema of its kind, its columns must exist and have a suitable type, and its title
 * must be one line of limited length. The error is a sentence for the model and for users.
 */
export function validateChart(value: unknown, fields: ChartFields, rows: ChartRows): ChartValidation {
  const form = checkForm(value);
  if ('error' in form) return form;
  const { chart } = form;
  const error = checkTitle(chart) ?? checkColumns(chart, describeColumns(fields, rows), rows);
  return error === undefined ? { chart } : { error };
}

/** The maximum number of characters of a value or a column name in a message, and of column names in one message. */
const MAX_SHOWN = 64;
const MAX_SHOWN_COLUMNS = 30;

function checkForm(value: unknown): ChartValidation {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: `The chart must be an object, got ${quote(value)}.` };
  }
  const name = 'chartName' in value ? value.chartName : undefined;
  const chartName = CHART_NAMES.find((known) => known === name);
  if (chartName === undefined) {
    const hint = typeof name === 'string' ? didYouMean(name, CHART_NAMES) : '';
    return { error: `chart.chartName must be one of ${CHART_NAMES.join(', ')}, got ${quote(name)}${hint}.` };
  }
  const validators = validatorsOf(chartName);
  if (validators.some((isValid) => isValid(value))) return { chart: value as Chart };
  // The errors of the last schema are reported, because it has the fewest properties.
  const [fault] = validators.at(-1)?.errors ?? [];
  return { error: fault === undefined ? `The ${chartName} is not valid.` : explainFault(chartName, fault) };
}

const ajv = new Ajv({ verbose: true });
const compiled = new Map<ChartName, ValidateFunction[]>();

/** Returns the validators for a kind of chart. The validators are compiled on first use. */
function validatorsOf(chartName: ChartName): ValidateFunction[] {
  const validators = compiled.get(chartName) ?? SCHEMAS_OF_CHARTS[chartName].map((schema) => ajv.compile(schema));
  compiled.set(chartName, validators);
  return validators;
}

function explainFault(chartName: ChartName, error: ErrorObject): string {
  const { keyword, instancePath, params, parentSchema, data } = error;
  if (keyword === 'required') return `${chartName} needs the option ${params.missingProperty}.`;
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema?.properties as object | undefined) ?? {}).join(', ');
    return `${chartName} has no option ${quote(params.additionalProperty)}; it has ${known}.`;
  }
  const option = instancePath.slice(1).replaceAll('/', '.');
  return `chart.${option} must be ${expectedBySchema(error, 'an object')}, got ${quote(data)}.`;
}

function checkTitle({ title }: Chart): string | undefined {
  // Cheap check first: a character has at most two UTF-16 units, so most long texts need not be split into characters.
  const isLong = title.length > 2 * MAX_TITLE_LENGTH || [...title].length > MAX_TITLE_LENGTH;
  if (isLong || title.trim() === '') return `chart.title must have 1 to ${MAX_TITLE_LENGTH} characters.`;
  return UNSUITABLE_IN_TITLE.test(title) ? 'chart.title must be one line without control characters.' : undefined;
}

/** The requirement of an option for its column. */
interface Requirement {
  readonly expected: string;
  readonly isMet: (column: ResultColumn) => boolean;
}

const ANY: Requirement = { expected: 'any column', isMet: () => true };
const NUMBERS: Requirement = { expected: 'numbers', isMet: ({ isNumber }) => isNumber };
const ORDERED: Requirement = {
  expected: 'dates, times or numbers',
  isMet: ({ isTime, isNumber }) => isTime || isNumber,
};
const COUNTRIES: Requirement = { expected: 'country codes of ISO 3166-1', isMet: ({ isCountry }) => isCountry };
const LOGINS: Requirement = { expected: 'a login', isMet: ({ isLogin }) => isLogin };
const REPOSITORIES: Requirement = { expected: 'a repository as owner/name', isMet: ({ isRepo }) => isRepo };

/** An option, the columns that it refers to, and the requirement for each. */
type OptionCheck = readonly [option: string, names: readonly string[], requirement: Requirement];

function optionChecksOf(chart: Chart): readonly OptionCheck[] {
  switch (chart.chartName) {
    case 'Table':
      return [['columns', chart.columns, ANY]];
    case 'NumberCard':
      return [['value', [chart.value], NUMBERS], ...optional('label', chart.label)];
    case 'BarChart':
      return [['x', [chart.x], ANY], ['y', chart.y, NUMBERS], ...optional('series', chart.series)];
    case 'LineChart':
      return [['x', [chart.x], ORDERED], ['y', chart.y, NUMBERS], ...optional('series', chart.series)];
    case 'PieChart':
      return [
        ['label', [chart.label], ANY],
        ['value', [chart.value], NUMBERS],
      ];
    case 'MapChart':
      return [
        ['country', [chart.country], COUNTRIES],
        ['value', [chart.value], NUMBERS],
      ];
    case 'HeatMap':
      return [
        ['column', [chart.column], ANY],
        ['row', [chart.row], ANY],
        ['value', [chart.value], NUMBERS],
      ];
    case 'PersonalCard':
      return [['login', [chart.login], LOGINS]];
    case 'RepoCard':
      return [['repo', [chart.repo], REPOSITORIES]];
  }
}

function optional(option: string, name: string | undefined): readonly OptionCheck[] {
  return name === undefined ? [] : [[option, [name], ANY]];
}

function checkColumns(chart: Chart, columns: readonly ResultColumn[], rows: ChartRows): string | undefined {
  for (const check of optionChecksOf(chart)) {
    const error = checkOption(check, columns);
    if (error !== undefined) return error;
  }
  if ('series' in chart && chart.series !== undefined && chart.y.length > 1) {
    return `chart.y must name 1 column, because chart.series names the lines or bars, got ${chart.y.length}.`;
  }
  if (CARDS.has(chart.chartName) && rows.length > 1) {
    return `${chart.chartName} shows one row; the result has ${rows.length} rows.`;
  }
  if (chart.chartName !== 'PieChart') return undefined;
  const isNegative = rows.some((row) => Number(cellOf(row, chart.value)) < 0);
  return isNegative ? `chart.value names the column ${quote(chart.value)}, which has negative numbers.` : undefined;
}

const CARDS: ReadonlySet<ChartName> = new Set(['NumberCard', 'PersonalCard', 'RepoCard']);

function checkOption([option, names, requirement]: OptionCheck, columns: readonly ResultColumn[]): string | undefined {
  const most = option === 'y' ? MAX_SERIES : Math.max(1, columns.length);
  if (names.length > most || (names.length === 0 && columns.length > 0)) {
    return `chart.${option} must name 1 to ${most} columns, got ${names.length}.`;
  }
  if (new Set(names).size < names.length && option === 'y') return `chart.${option} names a column twice.`;
  for (const name of names) {
    const column = columns.find((known) => known.name === name);
    const known = columns.map((one) => one.name);
    if (column === undefined) {
      const hint = didYouMean(name, known);
      return `chart.${option} names the column ${quote(name)}, which the result does not have${hint}; ${listColumns(known)}.`;
    }
    if (!requirement.isMet(column)) {
      return `chart.${option} names the column ${quote(name)}, which does not contain ${requirement.expected}; ${listColumns(known)}.`;
    }
  }
  return undefined;
}

function listColumns(names: readonly string[]): string {
  if (names.length === 0) return 'the result has no columns';
  const more = names.length > MAX_SHOWN_COLUMNS ? ` and ${names.length - MAX_SHOWN_COLUMNS} more` : '';
  return `the result has the columns ${names.slice(0, MAX_SHOWN_COLUMNS).map(quote).join(', ')}${more}`;
}

function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value);
  const shown = [...text.slice(0, 2 * MAX_SHOWN)].slice(0, MAX_SHOWN).join('');
  return JSON.stringify(shown.length < text.length ? `${shown}…` : shown);
}
