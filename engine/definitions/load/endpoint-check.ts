import { checkChart, type DeclaredChart } from '../../charts/check-chart.js';
import { NUMBER_TYPES } from '../../charts/result-column.js';
import { placesOfSentence } from '../../charts/sentence.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import { findQuotedPlace } from '../../sql/reading/find-quoted-place.js';
import type { SqlReader } from '../../sql/reading/sql-reader.js';
import { UntranslatableSqlError } from '../../sql/reading/untranslatable-sql-error.js';
import { callerNames, callerParameters } from '../access/caller-values.js';
import { withoutPublic } from '../access/require-access.js';
import type { RowFilters } from '../access/row-filters.js';
import type { ColumnDefinition, EndpointDefinition } from '../definition.js';
import type { DefinitionScope } from '../definition-scope.js';
import { checkShape, DEFAULT_PREFIXES } from '../definition-shape.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import { SOURCE_COLUMNS } from '../endpoint/data-source.js';
import {
  allParameters,
  createEndpoint,
  type Endpoint,
  type EndpointParts,
  type PlacedQuery,
} from '../endpoint/endpoint.js';
import { createMaterialized, rollupTableOf, startValues, watermarkParameter } from '../endpoint/rollup.js';
import type { ExpandedDefinition } from '../expand-definition.js';
import { SILENCEABLE_RULES } from '../lint/warning.js';
import { normalizeDefinition, withoutFileKeys } from '../normalize-definition.js';
import { isCalendarDay, type RawParameters } from '../parameters/parameter-values.js';
import type { Problem } from '../problem.js';
import { readQuery } from '../query/query.js';
import type { ExpectedColumns } from '../query/query-check.js';
import { checkExamples } from './example-check.js';
import { checkFixtures } from './fixture-check.js';
import { checkMaterialize, checkMaterializedQueries } from './materialize-check.js';
import { checkNest, checkNestedOrder } from './nest-check.js';
import { checkParameters } from './parameter-check.js';

const MAX_TIMEOUT_MS = 600_000;
const MAX_STORED_MS = 86_400_000;

/** What the program allows to a definition, with the reader of its SQL, which knows the private data. */
export interface CheckScope
  extends Pick<DefinitionScope, 'prefixes' | 'environment' | 'claims' | 'access' | 'materializes'> {
  readonly readSqlText: SqlReader;
  readonly rowFilters: RowFilters | undefined;
}

/** Creates the endpoint of a definition with expanded shared parts, or returns all problems of the definition. */
export function checkEndpoint(input: ExpandedDefinition, scope: CheckScope): Endpoint | readonly Problem[] {
  const { source } = input;
  const { prefixes = DEFAULT_PREFIXES } = scope;
  const shape = checkShape(source);
  const brokenKeys = new Set([...shape.broken, ...input.broken]);
  const definition = withAccess(normalizeDefinition(source.value, brokenKeys), scope);
  const isSound = (...keys: string[]) => keys.every((key) => !brokenKeys.has(key));
  // Problems of broken keys are dropped: a list may be too short only because its unknown part is missing, so the shape
  // check would report the same mistake again.
  const shapeProblems = shape.problems.filter(({ key }) => !input.broken.has(key));
  const problems = [...input.problems, ...shapeProblems];
  const parameters = isSound('params', 'path') ? checkParameters(source, definition, shape.misspelled) : undefined;
  problems.push(...(parameters?.problems ?? []));
  if (isSound('path')) problems.push(...checkPrefix(source, definition, prefixes));
  const columnProblems = isSound('columns') ? checkColumns(source, definition) : [];
  problems.push(...columnProblems);
  if (definition.chart !== undefined && isSound('columns')) {
    problems.push(...checkChartColumns(source, ['chart'], definition.chart, definition.columns));
  }
  if (definition.sentence !== undefined && isSound('columns', 'sentence')) {
    problems.push(...checkSentence(source, definition.sentence, definition));
  }
  const nestProblems = isSound('columns', 'pagination') ? checkNest(source, definition) : [];
  problems.push(...nestProblems);
  const hasComputedAt = definition.computed_at !== undefined || definition.materialize !== undefined;
  if (definition.staleAfterMs !== undefined && !hasComputedAt && isSound('computed_at', 'materialize')) {
    problems.push(source.problem(['stale_after'], 'stale_after requires computed_at', { at: 'key' }));
  }
  if (isSound('pagination', 'limits')) problems.push(...checkLimits(source, definition));
  problems.push(...checkStorage(source, definition), ...checkLint(source, definition));
  if (isSound('materialize', 'columns', 'name')) problems.push(...checkMaterialize(source, definition));
  if (isSound('deprecated', 'sunset')) problems.push(...checkDeprecation(source, definition));
  if (parameters !== undefined && isSound('examples', 'columns', 'pagination')) {
    problems.push(...checkExamples(source, definition, parameters.invalid));
  }
  if (parameters !== undefined && isSound('questions', 'pagination')) {
    problems.push(...checkQuestions(source, definition));
  }
  if (parameters?.areTypesKnown !== true || !isSound('sql')) return problems;
  const broken = columnProblems.length === 0 ? brokenKeys : new Set([...brokenKeys, 'columns']);
  const queries = readQueries(source, definition, broken, scope);
  problems.push(...queries.problems);
  if (queries.problems.length === 0 && nestProblems.length === 0 && isSound('columns', 'limits')) {
    problems.push(...checkNestedOrder(source, definition, queries.sql.query));
  }
  if (queries.problems.length === 0 && isSound('fixtures', 'examples', 'columns', 'pagination')) {
    problems.push(...checkFixtures(source, definition, parameters.invalid, queries.tables));
  }
  if (problems.length > 0) return problems;
  const expanded = withoutFileKeys(source.value);
  const { file, problem } = source;
  try {
    return createEndpoints({ definition, expanded, file, problem, claims: scope.claims ?? {}, ...queries }, scope);
  } catch (error) {
    if (!(error instanceof UntranslatableSqlError)) throw error;
    // The row filters of tables could not be added to the SQL.
    return [source.problem(['sql'], error.message, { at: 'key' })];
  }
}

/** Creates the endpoint of a definition. A materialized definition reads its table, if the program has a place for its rows. */
function createEndpoints(
  parts: EndpointParts,
  { materializes = false, readSqlText, rowFilters }: CheckScope,
): Endpoint {
  const endpoint = createEndpoint(parts);
  const { definition } = parts;
  if (definition.materialize === undefined) return endpoint;
  const values = startValues(definition);
  const computing = {
    ...endpoint,
    readParameters: (raw: RawParameters) => ({ ...endpoint.readParameters(raw), ...values }),
  };
  return materializes ? createMaterialized(parts, computing, readSqlText, rowFilters) : computing;
}

/** Adds the access of the scope to a definition without `access`. The key is absent for a public endpoint. */
function withAccess(
  { access: own, ...definition }: EndpointDefinition,
  { access: shared }: CheckScope,
): EndpointDefinition {
  const access = withoutPublic(own ?? shared);
  return access === undefined ? definition : { ...definition, access };
}

function checkPrefix(source: DefinitionSource, { path }: EndpointDefinition, prefixes: readonly string[]): Problem[] {
  if (path === undefined || prefixes.some((prefix) => path.startsWith(`${prefix}/`))) return [];
  const expected = prefixes.map((prefix) => `${prefix}/…`).join(' or ');
  return [source.problem(['path'], 'wrong beginning of the path', { expected, got: JSON.stringify(path) })];
}

function checkColumns(source: DefinitionSource, { columns }: EndpointDefinition): Problem[] {
  return columns.flatMap((column, index) => {
    if (columns.findIndex(({ col }) => col === column.col) !== index) {
      return [source.problem(['columns', index, 'col'], `the column "${column.col}" is declared twice`)];
    }
    const { label } = column;
    if (label !== undefined && columns.findIndex((one) => one.label === label) !== index) {
      return [source.problem(['columns', index, 'label'], `two columns have the label "${label}"`)];
    }
    return unsuitableKeys(column).map(([key, reason]) =>
      source.problem(['columns', index, key], `${key} does not apply to ${reason}`, { at: 'key' }),
    );
  });
}

function checkSentence(source: DefinitionSource, sentence: string, { columns }: EndpointDefinition): Problem[] {
  const names = columns.map(({ col }) => col);
  const { columns: places, stray } = placesOfSentence(sentence);
  const unknown = places.filter(({ name }) => !names.includes(name));
  return [
    ...unknown.map(({ name, at }) =>
      source.problem(['sentence'], `{${name}} is not a column${didYouMean(name, names)}`, { at }),
    ),
    ...(stray === undefined
      ? []
      : [source.problem(['sentence'], 'this brace is not part of a {column}', { at: stray })]),
  ];
}

/** Returns the keys of a column that do not fit its type, with the reason. */
function unsuitableKeys({ data_type, nullable, scale, unit, format, null_as }: ColumnDefinition): [string, string][] {
  const isTime = ['DATETIME', 'TIMESTAMP'].includes(data_type);
  const isFitting = format === 'date' ? isTime : NUMBER_TYPES.has(data_type);
  const found: ([string, string] | false)[] = [
    scale !== undefined && !['DECIMAL', 'DOUBLE', 'FLOAT'].includes(data_type) && ['scale', data_type],
    unit !== undefined && !NUMBER_TYPES.has(data_type) && ['unit', data_type],
    format !== undefined && !isFitting && ['format', `${data_type} (${format})`],
    null_as !== undefined && !nullable && ['null_as', 'a column that is not nullable'],
  ];
  return found.filter((one) => one !== false);
}

function checkLimits(source: DefinitionSource, { pagination, limits }: EndpointDefinition): Problem[] {
  const problems: Problem[] = [];
  if (limits.timeoutMs > MAX_TIMEOUT_MS) {
    problems.push(source.problem(['limits', 'timeout'], 'the timeout is too long', { expected: 'at most 10m' }));
  }
  problems.push(...checkStreamRows(source, limits, pagination !== undefined));
  if (pagination === undefined) return problems;
  if (pagination.default > pagination.max) {
    const facts = { expected: `at most ${pagination.max}`, got: `${pagination.default}` };
    problems.push(
      source.problem(['pagination', 'default'], 'the default page size exceeds the maximum page size', facts),
    );
  }
  if (pagination.max > limits.rows) {
    const facts = { expected: `at most ${limits.rows}`, got: `${pagination.max}` };
    problems.push(source.problem(['pagination', 'max'], 'the maximum page size exceeds limits.rows', facts));
  }
  return problems;
}

function checkStreamRows(
  source: DefinitionSource,
  { rows, streamRows }: EndpointDefinition['limits'],
  hasPages: boolean,
): Problem[] {
  if (streamRows === undefined) return [];
  const path = ['limits', 'stream_rows'];
  if (hasPages) {
    return [source.problem(path, 'stream_rows does not apply to a definition with pagination', { at: 'key' })];
  }
  if (streamRows > rows) return [];
  const facts = { expected: `more than ${rows}`, got: `${streamRows}` };
  return [source.problem(path, 'stream_rows does not exceed limits.rows', facts)];
}

function checkStorage(source: DefinitionSource, { cacheTtlMs = 0, serveStaleMs }: EndpointDefinition): Problem[] {
  const expected = 'at most 24h';
  return [
    ...(cacheTtlMs > MAX_STORED_MS ? [source.problem(['cache', 'ttl'], 'the time is too long', { expected })] : []),
    ...(serveStaleMs > MAX_STORED_MS ? [source.problem(['serve_stale'], 'the time is too long', { expected })] : []),
  ];
}

interface Queries {
  readonly sql: PlacedQuery;
  readonly dataAsOf: PlacedQuery | undefined;
  readonly computedAt: PlacedQuery | undefined;
  readonly total: PlacedQuery | undefined;
  readonly notices: readonly PlacedQuery[];
  /** For each notice with `needs`, the query that finds a row of this table. */
  readonly needs: readonly (PlacedQuery | undefined)[];
  /** The queries for allowed values, by parameter. */
  readonly choices: ReadonlyMap<string, PlacedQuery>;
  readonly problems: readonly Problem[];
  /** The tables that the queries read, in lower case. */
  readonly tables: ReadonlySet<string>;
}

function readQueries(
  source: DefinitionSource,
  definition: EndpointDefinition,
  broken: ReadonlySet<string>,
  scope: CheckScope,
): Queries {
  const ofRows = { ...scope, rowFilters: filtersOf(definition, scope) };
  const read = (
    path: DefinitionPath,
    sql: string,
    parameters: EndpointDefinition['params'],
    returned: ExpectedColumns | undefined,
  ): PlacedQuery => {
    const bindable = { ...parameters, ...ofCaller };
    const query = readQuery(source, path, sql, { ...ofRows, parameters: bindable, columns: returned });
    const { line, column } = source.problem(path, '', { at: 0 });
    return { key: path.join('.'), line, column, query, problem: placedProblem(source, path) };
  };
  const { params } = definition;
  const ofCaller = callerParameters(scope.claims);
  const columns = broken.has('columns') ? undefined : { names: definition.columns.map(({ col }) => col) };
  const sql = read(['sql'], definition.sql, { ...params, ...watermarkParameter(definition) }, columns);
  const time = (key: 'data_as_of' | 'computed_at'): PlacedQuery | undefined => {
    const text = definition[key];
    return text === undefined ? undefined : read([key], text, {}, ONE_COLUMN);
  };
  const [dataAsOf, computedAt] = [time('data_as_of'), time('computed_at')];
  const notices = definition.notices.map((notice, index) => {
    const path = ['notices', index, 'sql'];
    return read(path, notice.sql, params, NOTICE_COLUMNS);
  });
  const needs = definition.notices.map(({ needs: table }, index) => {
    if (table === undefined) return undefined;
    const path = ['notices', index, 'needs'];
    return read(path, `SELECT 1 FROM ${table} LIMIT 1`, {}, ONE_COLUMN);
  });
  const choices = new Map(
    Object.entries(params).flatMap(([name, { choices: own, items }]) => {
      const query = own ?? items?.choices;
      if (query === undefined) return [];
      const path = ['params', name, ...(own === undefined ? ['items'] : []), 'enum', 'sql'];
      return [[name, read(path, query.sql, {}, ONE_COLUMN)] as const];
    }),
  );
  const { total: count } = definition.pagination ?? {};
  const countPath = ['pagination', 'total'];
  const total = typeof count === 'string' ? read(countPath, count, params, ONE_COLUMN) : undefined;
  const all = [sql, dataAsOf, computedAt, total, ...notices, ...needs, ...choices.values()].filter(
    (query) => query !== undefined,
  );
  const problems = all.flatMap(({ query }) => query.problems);
  problems.push(...checkNeeds(source, definition, notices));
  if (problems.length === 0) {
    const isComplete = QUERY_KEYS.every((key) => !broken.has(key));
    if (isComplete) problems.push(...checkUnused(source, definition, all));
    problems.push(...checkOwnLimit(source, definition, sql.query));
    const ofCallers = definition.materialize === undefined ? checkCaller(definition, all, choices) : [];
    problems.push(...ofCallers, ...checkMaterializedQueries(definition, sql, all, scope.rowFilters));
  }
  const tables = new Set(all.flatMap(({ query }) => [...query.tables]));
  return { sql, dataAsOf, computedAt, total, notices, needs, choices, problems, tables };
}

/**
 * Returns the row filters for the queries of a definition. If the table of a materialized definition has its own row filter, its rows are
 * computed for all callers.
 */
function filtersOf({ materialize, name }: EndpointDefinition, { rowFilters }: CheckScope): RowFilters | undefined {
  const isFiltered = materialize !== undefined && rowFilters?.restricts([rollupTableOf(name)]) === true;
  return isFiltered ? rowFilters?.ofAllCallers : rowFilters;
}

/** Returns a problem for each notice that does not read the table in `needs`. */
function checkNeeds(
  source: DefinitionSource,
  { notices }: EndpointDefinition,
  queries: readonly PlacedQuery[],
): Problem[] {
  return notices.flatMap(({ needs }, index) => {
    const { tables, problems } = queries[index]?.query ?? { tables: new Set(), problems: [] };
    if (needs === undefined || problems.length > 0 || tables.has(needs)) return [];
    const facts = { expected: `one of ${[...tables].join(', ')}`, got: needs };
    return [source.problem(['notices', index, 'needs'], 'the notice does not read this table', facts)];
  });
}

const ONE_COLUMN: ExpectedColumns = { names: [undefined] };
const NOTICE_COLUMNS: ExpectedColumns = { names: ['notice'], optional: SOURCE_COLUMNS };

/** Unused parameters are reported only if these keys are valid, because an invalid query may use the parameter. */
const QUERY_KEYS = ['data_as_of', 'computed_at', 'notices', 'pagination'];

/** Returns a function that converts a message of the database about the SQL at `path` to a problem with a position. */
function placedProblem(source: DefinitionSource, path: DefinitionPath): PlacedQuery['problem'] {
  const sql = String(valueAt(source.value, path));
  return (message, reason) => {
    const offset = findQuotedPlace(sql, reason) ?? 0;
    const got =
      sql
        .slice(sql.lastIndexOf('\n', offset - 1) + 1)
        .split('\n')[0]
        ?.trim() ?? '';
    return source.problem(path, message, { at: offset, got: got.length > MAX_GOT ? `${got.slice(0, MAX_GOT)}…` : got });
  };
}

const MAX_GOT = 100;

function valueAt(value: unknown, path: DefinitionPath): unknown {
  return path.reduce<unknown>((inside, step) => (inside as Record<string | number, unknown>)[step], value);
}

/** Returns a problem for each query that binds values of the caller although the definition is public, or all callers share its result. */
function checkCaller(
  { access }: EndpointDefinition,
  queries: readonly PlacedQuery[],
  choices: ReadonlyMap<string, PlacedQuery>,
): Problem[] {
  const shared = new Set(choices.values());
  return queries.flatMap((placed) => {
    const [name] = callerNames(placed.query.used);
    if (name === undefined || (access !== undefined && !shared.has(placed))) return [];
    const reason = shared.has(placed)
      ? `all callers share a list of allowed values, so its SQL cannot depend on ${name}`
      : `the SQL or a row_filter of its tables depends on ${name}, so the definition cannot be public: add the key access`;
    return [placed.problem(reason, name)];
  });
}

function checkUnused(
  source: DefinitionSource,
  { params }: EndpointDefinition,
  queries: readonly PlacedQuery[],
): Problem[] {
  const used = new Set(queries.flatMap(({ query }) => [...query.used]));
  return Object.keys(params)
    .filter((name) => !used.has(name))
    .map((name) =>
      source.problem(
        ['params', name],
        `the SQL does not use this parameter: write {{ ${name} }} in it, or remove the parameter`,
        { at: 'key' },
      ),
    );
}

function checkOwnLimit(
  source: DefinitionSource,
  { pagination }: EndpointDefinition,
  { limited }: PlacedQuery['query'],
): Problem[] {
  if (pagination === undefined || limited.size === 0) return [];
  return [
    source.problem(
      ['pagination'],
      'pagination adds LIMIT and OFFSET, but the SQL already has LIMIT: remove the LIMIT',
      {
        at: 'key',
      },
    ),
  ];
}

/** Checks that the days of `deprecated` and `sunset` exist, and that `sunset` is not before `deprecated`. */
function checkDeprecation(source: DefinitionSource, definition: EndpointDefinition): Problem[] {
  const problems = DAY_KEYS.flatMap((key) => {
    const day = definition[key];
    if (day === undefined || isCalendarDay(day)) return [];
    return [source.problem([key], 'this day does not exist', { expected: 'a calendar day YYYY-MM-DD', got: day })];
  });
  const { deprecated, sunset } = definition;
  if (problems.length > 0 || sunset === undefined) return problems;
  if (deprecated === undefined) {
    return [source.problem(['sunset'], 'sunset requires deprecated', { at: 'key' })];
  }
  if (sunset >= deprecated) return [];
  const facts = { expected: `${deprecated} or later`, got: sunset };
  return [source.problem(['sunset'], 'the endpoint ends before it is deprecated', facts)];
}

const DAY_KEYS = ['deprecated', 'sunset'] as const;

/** Checks that the key `lint` contains only names of lint rules. */
function checkLint(source: DefinitionSource, { lint }: EndpointDefinition): Problem[] {
  const unknown = Object.keys(lint).filter((name) => !SILENCEABLE_RULES.includes(name));
  return unknown.map((name) => {
    const hint = didYouMean(name, SILENCEABLE_RULES);
    const facts = hint === '' ? { expected: `one of ${SILENCEABLE_RULES.join(', ')}` } : {};
    return source.problem(['lint', name], `unknown rule "${name}"${hint}`, { at: 'key', ...facts });
  });
}

/** Checks that each `{name}` in the questions of a definition is a parameter, and that there are no other braces. */
function checkQuestions(source: DefinitionSource, definition: EndpointDefinition): Problem[] {
  const names = Object.keys(allParameters(definition));
  return definition.questions.flatMap((question, index) => {
    const path = ['questions', index];
    const places = [...question.matchAll(PLACE)];
    const unknown = places.flatMap(({ 1: name = '', index: at }) =>
      names.includes(name)
        ? []
        : [source.problem(path, `{${name}} is not a parameter of this definition${didYouMean(name, names)}`, { at })],
    );
    const stray = question.replaceAll(PLACE, (place) => ' '.repeat(place.length)).search(/[{}]/);
    if (unknown.length > 0 || stray === -1) return unknown;
    return [source.problem(path, 'this brace is not part of a {parameter}', { at: stray, got: question })];
  });
}

const PLACE = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Checks the chart at a path of a file: its columns must be columns of the answer with suitable types. */
export function checkChartColumns(
  source: Pick<DefinitionSource, 'problem'>,
  path: DefinitionPath,
  chart: DeclaredChart,
  columns: readonly ColumnDefinition[],
): Problem[] {
  const declared = columns.map(({ col, data_type }) => ({ name: col, type: data_type }));
  const names = declared.map(({ name }) => name);
  return checkChart(chart, declared).map(({ path: place, message, unknownColumn, ...facts }) => {
    const hint = unknownColumn === undefined ? '' : didYouMean(unknownColumn, names);
    const expected = unknownColumn !== undefined && hint === '' ? { expected: `one of ${names.join(', ')}` } : {};
    return source.problem([...path, ...place], `${message}${hint}`, { ...facts, ...expected });
  });
}
