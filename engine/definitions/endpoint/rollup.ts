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
  type EndpointQuery,
  endpointQuery,
  type PlacedQuery,
} from './endpoint.js';

/** The rows of a definition as a table. */
export interface Rollup {
  readonly table: string;
  readonly settings: MaterializeDefinition;
  readonly columns: readonly ColumnDefinition[];
  /** Identifies the definition of the rows: tables with equal identities have the rows of equal SQL. */
  readonly identity: string;
  /** The query of the rows, without a row limit. Its values contain `WATERMARK` if the definition has a watermark. */
  readonly query: EndpointQuery;
  readonly dataAsOf: EndpointQuery | undefined;
  /** The endpoint that computes the rows for each request. */
  readonly computing: Endpoint;
}

/** The name of the value that the SQL of a materialized definition can bind: the beginning of the rows that a refresh computes. */
export const WATERMARK = 'watermark';

/** The value of `WATERMARK` for all rows, by the type of the column. Other types cannot be watermarks. */
export const WATERMARK_STARTS: Readonly<Partial<Record<DataType, string | number>>> = {
  DATE: '1000-01-01',
  DATETIME: '1000-01-01 00:00:00',
  TIMESTAMP: '1970-01-01 00:00:01',
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
  const { definition, sql } = parts;
  const { materialize, columns, name } = definition;
  if (materialize === undefined) return computing;
  const table = rollupTableOf(name);
  const list = (names: readonly string[]) => names.map(quoteName).join(', ');
  const text = `SELECT ${list(columns.map(({ col }) => col))} FROM ${table} ORDER BY ${list(materialize.key)}`;
  const place = { file: parts.file, value: {}, problem: parts.problem };
  const scope = { parameters: {}, columns: { names: columns.map(({ col }) => col) }, readSqlText, rowFilters };
  const reading = createEndpoint({
    ...parts,
    sql: { ...sql, query: readQuery(place, ['sql'], text, scope) },
    dataAsOf: parts.dataAsOf && stateQuery(place, 'data_as_of', [table], readSqlText),
    computedAt: stateQuery(place, 'refreshed_at', [table], readSqlText),
  });
  const query = endpointQuery(sql);
  const types = columns.map(({ col, data_type, scale, nullable }) => [col, data_type, scale, nullable]);
  const { key, watermark } = materialize;
  const identity = hash('sha256', JSON.stringify([constantsOf(query.variants), query.texts, key, watermark, types]));
  const { dataAsOf } = computing;
  const rollup: Rollup = { table, settings: materialize, columns, identity, query, dataAsOf, computing };
  const contentHash = hash('sha256', JSON.stringify([computing.contentHash, reading.contentHash]));
  return { ...withStaleness(reading, staleAfter(rollup)), contentHash, rollup };
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

/** Adds the time of the oldest refresh to an endpoint that reads materialized tables, unless it declares `computed_at`. */
export function withRefreshTime(endpoint: Endpoint, rollups: readonly Rollup[], readSqlText: SqlReader): Endpoint {
  const used = rollups.filter(({ table }) => endpoint.tables.has(table));
  if (used.length === 0 || endpoint.computedAt !== undefined) return endpoint;
  const read = used.map(({ table }) => table).sort();
  const limitMs = Math.min(...used.map(staleAfter));
  const key = `${read.join()} ${limitMs}`;
  const known = WITH_TIMES.get(endpoint);
  if (known?.key === key) return known.endpoint;
  const { file, problem } = endpoint;
  const computedAt = endpointQuery(stateQuery({ file, value: {}, problem }, 'refreshed_at', read, readSqlText));
  const contentHash = hash('sha256', `${endpoint.contentHash} ${key}`);
  const timed = {
    ...withStaleness(endpoint, limitMs),
    computedAt,
    contentHash,
    tables: new Set([...endpoint.tables, ROLLUP_STATE]),
  };
  WITH_TIMES.set(endpoint, { key, endpoint: timed });
  return timed;
}

/** A reload compares endpoints by identity, so the same endpoint always gets the same extension. */
const WITH_TIMES = new WeakMap<Endpoint, { readonly key: string; readonly endpoint: Endpoint }>();

function stateQuery(
  source: DefinitionSource,
  column: 'refreshed_at' | 'data_as_of',
  tables: readonly string[],
  readSqlText: SqlReader,
): PlacedQuery {
  const key = column === 'refreshed_at' ? 'computed_at' : column;
  const names = tables.map((table) => `'${table}'`).join(', ');
  const text = `SELECT MIN(${column}) FROM ${ROLLUP_STATE} WHERE table_name IN (${names})`;
  const query = readQuery(source, [key], text, { parameters: {}, columns: { names: [undefined] }, readSqlText });
  const { line, column: at } = source.problem(['name'], '');
  return { key, line, column: at, query, problem: (message) => source.problem(['name'], message) };
}
