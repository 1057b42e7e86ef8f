import { hash } from 'node:crypto';
import type { DataType } from '../../databases/interface/data-types.js';
import { ROLLUP_STATE } from '../../databases/interface/rollups.js';
import { quoteName } from '../../sql/reading/lexemes.js';
import type { SqlReader } from '../../sql/reading/sql-reader.js';
import type {
  ColumnDefinition,
  EndpointDefinition,
  MaterializeDefinition,
  ParameterDefinition,
} from '../definition.js';
import type { DefinitionSource } from '../definition-source.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import { readQuery } from '../query/query.js';
import {
  constantsOf,
  createEndpoint,
  type Endpoint,
  type EndpointParts,
  endpointQuery,
  type PlacedQuery,
  type Rollup,
} from './endpoint.js';

/** The name of the value that the SQL of a materialized definition can bind: the beginning of the rows that a refresh computes. */
export const WATERMARK = 'watermark';

/** The value of `WATERMARK` for all rows, by the type of the column. Other types cannot be watermarks. */
export const WATERMARK_STARTS: Readonly<Partial<Record<DataType, string | number>>> = {
  DATE: '1000-01-01',
  DATETIME: '1000-01-01 00:00:00',
  TIMESTAMP: '1000-01-01 00:00:00',
  INT: Number.MIN_SAFE_INTEGER,
  BIGINT: Number.MIN_SAFE_INTEGER,
};

/** Returns the name of the table of a materialized definition. */
export function rollupTableOf(name: string): string {
  return name.replaceAll('-', '_');
}

/** Returns the parameter `WATERMARK` for the SQL of a materialized definition; nothing for others. */
export function watermarkParameter({
  materialize,
  columns,
}: EndpointDefinition): Readonly<Record<string, ParameterDefinition>> {
  if (materialize === undefined) return {};
  const isNumber = typeof startOf(materialize, columns) === 'number';
  return { [WATERMARK]: { in: 'query', type: isNumber ? 'integer' : 'string', description: '' } };
}

/** Returns the values for a query of all rows. */
export function startValues({ materialize, columns }: EndpointDefinition): ParameterValues {
  return materialize === undefined ? {} : { [WATERMARK]: startOf(materialize, columns) ?? null };
}

function startOf({ watermark }: MaterializeDefinition, columns: readonly ColumnDefinition[]) {
  const column = columns.find(({ col }) => col === watermark);
  return column && WATERMARK_STARTS[column.data_type];
}

/** Returns the endpoint of a materialized definition: it reads the table with the rows of `computing`, in the order of their key. */
export function createMaterialized(
  parts: EndpointParts,
  computing: Endpoint,
  readSqlText: SqlReader,
  rowFilters: PlacedQuery['query']['rowFilters'],
): Endpoint {
  const { definition, sql, file, problem } = parts;
  const { materialize, columns } = definition;
  if (materialize === undefined) return computing;
  const rollup = createRollup(parts, computing, materialize);
  const { table } = rollup;
  const list = (names: readonly string[]) => names.map(quoteName).join(', ');
  const text = `SELECT ${list(columns.map(({ col }) => col))} FROM ${quoteName(table)} ORDER BY ${list(materialize.key)}`;
  const place = { file, value: {}, problem };
  const scope = { parameters: {}, columns: { names: columns.map(({ col }) => col) }, readSqlText, rowFilters };
  const dataAsOf = `SELECT data_as_of FROM ${ROLLUP_STATE} WHERE table_name = '${table}'`;
  const reading = createEndpoint({
    ...parts,
    sql: { ...sql, query: readQuery(place, ['sql'], text, scope) },
    dataAsOf: parts.dataAsOf && stateQuery(place, 'data_as_of', dataAsOf, readSqlText),
  });
  const contentHash = hashOf([computing.contentHash, reading.contentHash]);
  return { ...withRefreshTime({ ...reading, contentHash }, [rollup], readSqlText), rollup };
}

function createRollup(
  { definition, sql }: EndpointParts,
  computing: Endpoint,
  settings: MaterializeDefinition,
): Rollup {
  const { columns, name } = definition;
  const query = endpointQuery(sql);
  const types = columns.map(({ col, data_type, scale, nullable }) => [col, data_type, scale, nullable]);
  const { key, watermark } = settings;
  const identity = hashOf([constantsOf(query.variants), query.texts, key, watermark, types]);
  return { table: rollupTableOf(name), settings, columns, identity, query, dataAsOf: computing.dataAsOf, computing };
}

/**
 * Adds the time of the oldest refresh to an endpoint that reads materialized tables. It is also the time of `computed_at`, unless the
 * definition declares that.
 */
export function withRefreshTime(endpoint: Endpoint, rollups: readonly Rollup[], readSqlText: SqlReader): Endpoint {
  const used = rollups.filter(({ table }) => endpoint.tables.has(table));
  if (used.length === 0) return endpoint;
  const conditions = used
    .map(({ table, identity }) => `(table_name = '${table}' AND definition = '${identity}')`)
    .sort();
  const text = `SELECT CASE WHEN COUNT(*) = ${used.length} THEN MIN(refreshed_at) END FROM ${ROLLUP_STATE} WHERE ${conditions.join(' OR ')}`;
  const limitMs = Math.min(...used.map(staleAfter));
  const key = `${text} ${limitMs}`;
  const known = WITH_TIMES.get(endpoint);
  if (known?.key === key) return known.endpoint;
  const { file, problem } = endpoint;
  const refreshTime = endpointQuery(stateQuery({ file, value: {}, problem }, 'computed_at', text, readSqlText));
  const timed = {
    ...(endpoint.computedAt === undefined ? withStaleness(endpoint, limitMs) : endpoint),
    ...{ refreshTime, computedAt: endpoint.computedAt ?? refreshTime },
    contentHash: hashOf([endpoint.contentHash, key]),
    tables: new Set([...endpoint.tables, ROLLUP_STATE]),
  };
  WITH_TIMES.set(endpoint, { key, endpoint: timed });
  return timed;
}

/** A reload compares endpoints by identity, so the same endpoint always gets the same extension. */
const WITH_TIMES = new WeakMap<Endpoint, { readonly key: string; readonly endpoint: Endpoint }>();

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}

/** The time after a refresh in which the next one must end: several refreshes in a row have failed when it is over. */
function staleAfter({ settings: { everyMs, timeoutMs } }: Rollup): number {
  return everyMs === undefined ? Number.POSITIVE_INFINITY : MISSED_REFRESHES * everyMs + timeoutMs;
}

const MISSED_REFRESHES = 3;

function withStaleness(endpoint: Endpoint, limitMs: number): Endpoint {
  const { definition } = endpoint;
  if (definition.staleAfterMs !== undefined || limitMs === Number.POSITIVE_INFINITY) return endpoint;
  return { ...endpoint, definition: { ...definition, staleAfterMs: limitMs } };
}

/** Creates the query of one cell of the table of states. Its problems have the position of the definition. */
function stateQuery(
  source: DefinitionSource,
  key: 'computed_at' | 'data_as_of',
  text: string,
  readSqlText: SqlReader,
): PlacedQuery {
  const query = readQuery(source, [key], text, { parameters: {}, columns: { names: [undefined] }, readSqlText });
  const { line, column } = source.problem(['name'], '');
  return { key, line, column, query, problem: (message) => source.problem(['name'], message) };
}
