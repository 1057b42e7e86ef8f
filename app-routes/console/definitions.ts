import { withTitle } from '../../engine/charts/fitting-charts.js';
import { endpointOf, NAME } from '../../engine/http/definitions/definition-routes.js';
import { parametersOf } from '../../engine/http/description/endpoint-operations.js';
import { describeParameters } from '../../engine/http/description/formats/parameters.js';
import { withPresentation } from '../../engine/http/envelopes/query-envelope-schema.js';
import { exactObject, exactObjectOrNull, type JsonSchema } from '../../engine/http/json-schema.js';
import type { OpenOperation } from '../../engine/http/operations/operation.js';
import {
  columnField,
  type Endpoint,
  type EndpointDefinition,
  type Engine,
  type LiveState,
} from '../../engine/index.js';
import type {
  ConsoleColumn,
  ConsoleParameter,
  DefinitionDetails,
  DefinitionState,
  DefinitionSummary,
} from './answers.js';
import { parameterSchema } from './parameter-schema.js';
import { writtenRules } from './written-rules.js';

/** `/console/definitions/` returns what forms, tables and lists need about definitions. The operations run no query. */
export function definitionOperations(engine: Engine, state: () => LiveState): OpenOperation[] {
  return [
    {
      ...COMMON,
      id: 'list-definitions',
      path: '/console/definitions/',
      summary: 'Lists the definitions',
      description: 'Sorted by name. Broken definitions are in the list: their requests fail.',
      answer: exactObject('DefinitionList', {
        data: { type: 'array', items: exactObject('DefinitionSummary', SUMMARY) },
      }),
      handle: () => ({ headers: NOT_STORED, body: { data: listDefinitions(state()) } }),
    },
    {
      ...COMMON,
      id: 'get-definition',
      path: '/console/definitions/{queryName}/',
      summary: 'Describes a definition: its parameters, columns, chart, limits and examples',
      parameters: { queryName: { ...NAME, in: 'path' } },
      answer: exactObject('DefinitionDetails', DETAILS),
      errors: ['query_not_found', 'endpoint_broken'],
      handle: ({ parameters }) => {
        const endpoint = endpointOf(engine, String(parameters.queryName));
        return { headers: NOT_STORED, body: toDetails(endpoint, stateOf(endpoint, state())) };
      },
    },
  ];
}

function listDefinitions(state: LiveState): DefinitionSummary[] {
  const served = state.endpoints.map((endpoint) => toSummary(endpoint, stateOf(endpoint, state)));
  const broken = state.broken.flatMap(({ name, path }): DefinitionSummary[] =>
    name === undefined ? [] : [{ name, path: path ?? null, ...BROKEN }],
  );
  return [...served, ...broken].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const BROKEN = { summary: null, tags: [], state: 'broken', deprecated: null, access: null, questions: [] } as const;

function stateOf({ definition }: Endpoint, { outdated }: LiveState): DefinitionState {
  return outdated.some(({ endpoint }) => endpoint.definition.name === definition.name) ? 'outdated' : 'served';
}

function toSummary({ definition }: Endpoint, state: DefinitionState) {
  const { name, path = null, summary, tags, deprecated = null, access = null, questions } = definition;
  return { name, path, summary, tags, state, deprecated, access, questions };
}

function toDetails(endpoint: Endpoint, state: DefinitionState): DefinitionDetails {
  const { definition, choices } = endpoint;
  const {
    name,
    description = null,
    sunset = null,
    columns,
    chart,
    sentence = null,
    limits,
    pagination,
    examples,
  } = definition;
  const parameters = parametersOf(endpoint);
  // A parameter such as a cursor is omitted, because the console has links to the next pages instead of a field for it.
  const described = describeParameters({ path: definition.path ?? `/q/${name}`, parameters }).filter(
    (parameter) => parameters[parameter.name]?.replaces === undefined,
  );
  return {
    ...toSummary(endpoint, state),
    description,
    sunset,
    parameters: described.map(({ in: _, ...parameter }) => ({
      ...parameter,
      hasChoices: choices.has(parameter.name),
      ...labelsOf(parameters[parameter.name]?.enum ?? [], columns),
      ...writtenRules(parameter.name, parameters),
    })),
    chart: chart === undefined ? null : withTitle(chart, definition.summary),
    sentence,
    columns: describeForConsole(columns),
    maxRows: limits.rows,
    timeoutMs: limits.timeoutMs,
    pagination: pagination === undefined ? null : { default: pagination.default, max: pagination.max },
    examples: examples.map(({ name: title, params }) => ({ name: title, params })),
  };
}

/** Returns the labels of the columns whose names are allowed values of a parameter, such as `sort`. */
function labelsOf(
  values: readonly (string | number)[],
  columns: EndpointDefinition['columns'],
): Pick<ConsoleParameter, 'labels'> {
  const found = columns.filter(({ col, label }) => label !== undefined && values.includes(col));
  return found.length === 0 ? {} : { labels: Object.fromEntries(found.map(({ col, label = col }) => [col, label])) };
}

/** Describes the columns of a definition, and how readers see them. */
export function describeForConsole(columns: EndpointDefinition['columns']): ConsoleColumn[] {
  return columns.map((column) => ({
    ...columnField(column),
    nullable: column.nullable,
    description: column.description,
  }));
}

const COMMON = { access: 'open', tag: 'Console', method: 'get' } as const;
/** No caching, because the definitions change with each reload. */
const NOT_STORED = { 'Cache-Control': 'no-cache' } as const;

const TEXT = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const TEXTS = { type: 'array', items: TEXT };
const ANY_OBJECT = { type: 'object', additionalProperties: true };

/** Who can read a definition. */
export const ACCESS: JsonSchema = {
  type: ['array', 'null'],
  items: TEXT,
  description: '`signed-in`, `key` or `role:NAME`; each entry is sufficient. Null: any caller, or a broken definition.',
};

/** The schema of the columns of a definition. */
export const COLUMNS: JsonSchema = {
  type: 'array',
  items: withPresentation(
    exactObject('DefinitionColumn', {
      name: TEXT,
      columnType: { ...TEXT, description: 'The SQL type.' },
      nullable: { type: 'boolean' },
      description: TEXT,
    }),
  ),
};

const SUMMARY = {
  name: TEXT,
  path: { ...TEXT_OR_NULL, description: 'The path under /v1; null: available at /q/{name} only.' },
  summary: { ...TEXT_OR_NULL, description: 'Null for a broken definition.' },
  tags: TEXTS,
  state: {
    type: 'string',
    enum: ['served', 'outdated', 'broken'],
    description: 'outdated: the file has problems, and its last good version answers; broken: requests fail.',
  },
  deprecated: { ...TEXT_OR_NULL, description: 'The day since which the definition is deprecated.' },
  access: ACCESS,
  questions: { ...TEXTS, description: 'Questions that the definition answers, with parameters in braces.' },
};

const DETAILS = {
  ...SUMMARY,
  description: { ...TEXT_OR_NULL, description: 'Markdown.' },
  sunset: TEXT_OR_NULL,
  parameters: { type: 'array', items: parameterSchema('DefinitionParameter') },
  chart: {
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The chart of the file: `chartName`, `title` and its options; null if the rows decide.',
  },
  columns: COLUMNS,
  sentence: {
    ...TEXT_OR_NULL,
    description: 'A sentence about the result: {column} is a cell of the first row, {last.column} of the last row.',
  },
  maxRows: { type: 'integer' },
  timeoutMs: { type: 'integer' },
  pagination: {
    description: 'The default and the largest number of rows of a page; null without pages.',
    ...exactObjectOrNull('DefinitionPages', { default: { type: 'integer' }, max: { type: 'integer' } }),
  },
  examples: { type: 'array', items: exactObject('DefinitionExample', { name: TEXT, params: ANY_OBJECT }) },
};
