import { flattenRows } from '../../engine/charts/flatten-rows.js';
import { addPresentation } from '../../engine/charts/result-column.js';
import { writeSentence } from '../../engine/charts/sentence.js';
import { admit } from '../../engine/http/access/authentication.js';
import type { AnswerCache } from '../../engine/http/cache/answer-cache.js';
import type { ServedAnswer } from '../../engine/http/cache/stored-answer.js';
import { parametersOf } from '../../engine/http/description/endpoint-operations.js';
import { describeParameters } from '../../engine/http/description/formats/parameters.js';
import type { NamedQueryEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import { SOURCES } from '../../engine/http/envelopes/query-envelope-schema.js';
import { formatValue } from '../../engine/http/requests/format-value.js';
import {
  canRead,
  columnFields,
  createNativeRowProperties,
  type Endpoint,
  type EndpointDefinition,
  EngineError,
  type ItemDefinition,
  type ParameterDefinition,
  type ParameterError,
  type RawParameters,
} from '../../engine/index.js';
import { type LimitedTable, limitTable, MAX_ROWS, tableContent, tableProperties, tableResult } from './result-table.js';
import { type ObjectSchema, objectSchema, READ_ONLY, type Tool, type ToolCall } from './tool.js';

/**
 * The tool for a definition. `generation` is the generation of the definitions that contains it. Answers are cached in the same cache as
 * those of `/q/{name}`.
 */
export function definitionTool(endpoint: Endpoint, generation: number, cache: Pick<AnswerCache, 'serve'>): Tool {
  const { name, summary } = endpoint.definition;
  return {
    definition: endpoint.definition,
    isReadableBy: (caller) => canRead(endpoint, caller),
    // Computed on each access, because allowed values from queries change without a reload.
    get description() {
      return {
        name,
        title: summary,
        description: describe(endpoint.definition),
        inputSchema: inputSchema(endpoint),
        outputSchema: outputSchema(endpoint),
        annotations: { title: summary, ...READ_ONLY },
      };
    },
    run: async ({ given, client, signal }: ToolCall) => {
      await client.countQuery();
      const raw = rawFromArguments(endpoint, given);
      const target = targetOf(name, raw.query);
      const asked = { endpoint, raw, representation: 'query', target, generation } as const;
      const wanted = await admit(asked, client);
      return resultOf(endpoint, await cache.serve({ ...wanted, isNewestRequired: false, signal }));
    },
  };
}

/**
 * Returns the cache key of an answer. The target differs from all HTTP targets, because those answers can come from a canary, whose results
 * may not match the schema of the tool.
 */
function targetOf(name: string, query: Readonly<Record<string, string | readonly string[]>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) for (const text of [value].flat()) search.append(key, text);
  return `mcp:${name}${search.size === 0 ? '' : `?${search}`}`;
}

function describe(definition: EndpointDefinition): string {
  const {
    summary,
    description,
    limits,
    pagination,
    nest,
    data_as_of,
    staleAfterMs,
    cacheTtlMs,
    serveStaleMs,
    deprecated,
    sunset,
  } = definition;
  const rows =
    pagination === undefined
      ? `The query returns at most ${limits.rows} rows.`
      : `One page has ${pagination.default} rows by default and at most ${pagination.max}; \`next_page\` is the number of the next page, and \`next_cursor\` its cursor.`;
  const end = sunset === undefined ? '' : ` and may stop working from ${sunset}`;
  const lines = [
    `${summary}.`,
    description,
    `${rows} A result has at most ${MAX_ROWS} rows; \`truncated\` states whether more exist. A query may take ${limits.timeoutMs / 1000} s.`,
    nest &&
      `A row of the result is one parent with the list \`${nest.name}\`; a row of the query is one item of this list.`,
    data_as_of === undefined
      ? 'The age of the data is not known: `stale` is true, or a notice states it.'
      : '`data_as_of` is the time of the newest data, and `stale` states whether they are older than their limit.',
    staleAfterMs &&
      `The rows are computed in advance; \`stale\` is also true if that is more than ${staleAfterMs / 3_600_000} h ago.`,
    cacheTtlMs &&
      `If other programs write the tables, an answer is used for at most ${(cacheTtlMs + serveStaleMs) / 1000} s, so later changes can be missing.`,
    deprecated && `Deprecated since ${deprecated}${end}.`,
  ];
  return lines.filter((line) => line).join('\n');
}

function inputSchema(endpoint: Endpoint): ObjectSchema {
  const { path = '' } = endpoint.definition;
  const described = describeParameters({ path, parameters: parametersOf(endpoint) });
  const properties = described.map(({ name, schema, description, example }) => [
    name,
    { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) },
  ]);
  const required = described.filter((parameter) => parameter.required).map(({ name }) => name);
  return objectSchema(Object.fromEntries(properties), { required, isExact: true });
}

function outputSchema({ definition, cursors, total, statesSources }: Endpoint): ObjectSchema {
  const row = objectSchema(createNativeRowProperties(definition));
  return objectSchema({
    ...tableProperties(row),
    parameters: { type: 'object', description: 'The values of the parameters, with defaults.' },
    next_page: {
      type: ['integer', 'null'],
      description: 'The value of `page` for the next rows; null without a next page.',
    },
    ...(cursors && {
      next_cursor: {
        type: ['string', 'null'],
        description: 'The value of `cursor` for the next rows, instead of `page`; null without a next page.',
      },
    }),
    ...(total && {
      total: { type: ['integer', 'null'], description: 'The number of all rows; null if they could not be counted.' },
    }),
    ...(statesSources && { sources: SOURCES }),
  });
}

function resultOf({ definition, cursors, outdatedSince }: Endpoint, { answer }: ServedAnswer) {
  const body = JSON.parse(answer.body.toString('utf8')) as NamedQueryEnvelope;
  const table: LimitedTable = limitTable(
    {
      columns: columnsOf(body.fields, definition),
      rows: body.data,
      truncated: body.truncated,
      notices: [...body.notices, ...outdatedNotices(outdatedSince)],
      dataAsOf: body.dataAsOf,
      stale: body.stale,
    },
    (kept) => howToGetMore(definition, kept),
  );
  // A link to the next page is only included if the result has all rows of this page. With the link, a reader would miss the omitted rows.
  const isWhole = table.rows.length === table.allRows;
  const [page, cursor] = isWhole ? [answer.nextPage, answer.nextCursor ?? null] : [undefined, null];
  const next = page === undefined ? (cursor === null ? '' : `Next page: cursor ${cursor}.`) : `Next page: ${page}.`;
  const members = {
    next_page: page ?? null,
    ...(cursors && { next_cursor: cursor }),
    ...(body.total !== undefined && { total: body.total }),
    ...(body.sources !== undefined && { sources: body.sources }),
  };
  const heading = [sentenceOf(definition, body), next].filter((text) => text !== '').join(' ');
  return tableResult({ ...tableContent(table), parameters: body.params, ...members }, table, heading);
}

/** Returns the sentence about the first page of a result; empty if the definition has none. */
function sentenceOf({ columns, sentence }: EndpointDefinition, body: NamedQueryEnvelope): string {
  if (sentence === undefined) return '';
  const fields = addPresentation(body.fields, columnFields(columns));
  const isFirst = Number(body.params.page ?? 1) === 1 && (body.params.cursor ?? null) === null;
  const isWhole = !body.truncated && typeof body.nextCursor !== 'string';
  const rows = flattenRows(body.fields, body.data as never);
  return writeSentence(sentence, fields, rows, { isFirst, isWhole, locale: 'en' }) ?? '';
}

/** Returns the members of a row. The list of a parent is one column. */
function columnsOf(fields: NamedQueryEnvelope['fields'], { columns }: EndpointDefinition): LimitedTable['columns'] {
  const lists = new Set(fields.flatMap(({ list }) => list ?? []));
  return [
    ...addPresentation(fields, columnFields(columns)).flatMap(({ columnType: type, list, ...column }) =>
      list === undefined ? [{ ...column, type }] : [],
    ),
    ...[...lists].map((name) => ({ name, type: 'JSON' })),
  ];
}

/** Returns a notice if the file has problems and its last good version is served, which may differ from what the author expects. */
function outdatedNotices(since: Date | undefined): string[] {
  if (since === undefined) return [];
  return [
    `The file of this definition has problems since ${since.toISOString()}; an earlier version of the file answers.`,
  ];
}

function howToGetMore({ name, pagination }: EndpointDefinition, kept: number): string {
  return pagination === undefined || kept === 0
    ? `Narrow the parameters, or read all rows from GET /q/${name} of the service.`
    : `Call the tool with page_size ${kept} or less to get all rows page by page.`;
}

type Parameters = Endpoint['parameters'];
type Given = Readonly<Record<string, unknown>>;

/**
 * Converts the arguments of a call to the raw parameters of a request. A JSON value whose type differs from that of its parameter is
 * rejected and never converted. Throws `bad_parameter` with every invalid parameter.
 */
function rawFromArguments(
  { parameters, readParameters }: Pick<Endpoint, 'parameters' | 'readParameters'>,
  given: Given,
): RawParameters {
  const faults = Object.entries(given).flatMap(([name, value]) => faultOf(parameters, name, value) ?? []);
  const raw = { path: {}, query: rawTexts(parameters, given, new Set(faults.map(({ parameter }) => parameter))) };
  if (faults.length === 0) return raw;
  const wrong = new Set(faults.map(({ parameter }) => parameter));
  const others = errorsOf(() => readParameters(raw)).filter(({ parameter }) => !wrong.has(parameter));
  const all = [...faults, ...others];
  throw new EngineError('bad_parameter', all.map(({ message }) => message).join('; '), { parameters: all });
}

/** Returns the text of each value. Unknown names are kept, so that the reader of the parameters reports them. */
function rawTexts(parameters: Parameters, given: Given, wrong: ReadonlySet<string>): RawParameters['query'] {
  const texts = Object.entries(given)
    .filter(([name]) => !wrong.has(name))
    .map(([name, value]) => [name, ownParameter(parameters, name) === undefined ? '' : textOf(value)] as const);
  return Object.fromEntries(texts);
}

function textOf(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(String) : String(value);
}

function faultOf(parameters: Parameters, name: string, value: unknown): ParameterError | undefined {
  const definition = ownParameter(parameters, name);
  if (definition === undefined) return undefined;
  if (definition.items === undefined)
    return hasType(definition, value) ? undefined : typeError(name, definition, value);
  const { items } = definition;
  if (!Array.isArray(value)) return typeError(name, definition, value);
  const wrong = value.findIndex((item) => !hasType(items, item));
  if (wrong >= 0) return typeError(name, definition, value[wrong], ' in the list');
  // The values of a list are joined by commas, so a value with a comma would silently become two values.
  const joined = value.find((item) => typeof item === 'string' && item.includes(','));
  if (joined === undefined) return undefined;
  return createError(name, 'a list of texts without commas', `${formatValue(joined)} in the list`);
}

function hasType({ type }: ParameterDefinition | ItemDefinition, value: unknown): boolean {
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  return typeof value === type;
}

function typeError(
  name: string,
  { type, ...definition }: ParameterDefinition,
  value: unknown,
  place = '',
): ParameterError {
  const each = definition.items?.type;
  const expected = each === undefined ? TYPES[type] : `a list in which each value is ${TYPES[each]}`;
  const hint = value === null ? '; omit it for its default' : '';
  return createError(name, expected, `${formatValue(value)}${place}${hint}`);
}

const TYPES = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
} as const;

function createError(parameter: string, expected: string, got: string): ParameterError {
  return { parameter, expected, got, message: `${parameter} must be ${expected}, got ${got}` };
}

function errorsOf(read: () => unknown): readonly ParameterError[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.details.parameters ?? [];
  }
}

function ownParameter(parameters: Parameters, name: string): ParameterDefinition | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}
