import { DATA_TYPES } from '../../databases/interface/data-types.js';
import type { Database, Dialect, ResultColumn } from '../../databases/interface/database.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { ColumnDefinition, ParameterDefinition, ParameterValue } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { createCompiler, NO_ENDING, writeQueryTexts } from '../../definitions/query/compiled-query.js';
import type { Query } from '../../definitions/query/query.js';
import { formatChoices, type Variant } from '../../definitions/template/template-variants.js';
import type { SqlReader } from '../../sql/reading/sql-reader.js';
import { findColumnMismatch } from '../verify/verify-endpoint.js';
import { type ConversionLog, type ConvertedDefinition, placeIn } from './conversion.js';
import { sentenceOf } from './names.js';

/** Data and functions that the checks of an imported definition need. */
export interface BuildOptions {
  readonly readSqlText: SqlReader;
  readonly dialect: Dialect;
  /** The database from which the types of columns are read; undefined without a database. */
  readonly database: Database | undefined;
  /** Whether the service knows the versions of a table. */
  readonly isVersioned: (table: string) => boolean;
  /** The text columns, by table, that contain NULL and never an empty text for an unknown value. */
  readonly nullTexts: ReadonlyMap<string, readonly string[]>;
  readonly signal?: AbortSignal | undefined;
}

interface CheckedQuery {
  readonly query: Query;
  readonly params: Readonly<Record<string, ParameterDefinition>>;
  /** The endpoint with provisional columns. */
  readonly endpoint: Endpoint;
}

/** Returns columns with the names of the SELECT and provisional types, so that everything except the types can be checked. */
export function provisionalColumns(query: Query, readSqlText: SqlReader): ColumnDefinition[] {
  const names = outputNames(query, readSqlText) ?? ['unknown'];
  return names.map((name, index) => columnOf(name ?? `column_${index + 1}`, 'TEXT'));
}

/**
 * Returns the columns with their types: those of the database, or, without a database, those that the foreign file declares. Types
 * are never guessed: if they are unknown, the definition is rejected.
 */
export async function addColumns(
  converted: ConvertedDefinition,
  { query, params, endpoint }: CheckedQuery,
  { database, readSqlText, signal }: BuildOptions,
  log: ConversionLog,
): Promise<readonly ColumnDefinition[] | undefined> {
  const place = placeIn(converted.sql.source, converted.sql.sourceOffset(0));
  let variants: readonly VariantColumns[] = [];
  try {
    if (database !== undefined) variants = await readColumns(database, query, params, signal);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'query_cancelled') throw error;
    const reason = messageOf(error);
    log.problems.push(endpoint.query.problem(`${database?.name} cannot run this: ${reason}`, reason));
    return undefined;
  }
  const difference = findDifference(variants);
  if (difference !== undefined) {
    log.reject(place, 'columns', difference);
    return undefined;
  }
  const read = variants[0]?.columns;
  const declared = new Map(converted.columns.map((column) => [column.name, column]));
  const names = read?.map(({ name }) => name) ?? outputNames(query, readSqlText);
  const types = names?.map((name, index) => read?.[index]?.type ?? declared.get(name ?? '')?.type);
  const unknown = names?.filter((_, index) => !(DATA_TYPES as readonly unknown[]).includes(types?.[index]));
  if (names === undefined || types === undefined || unknown === undefined || unknown.length > 0) {
    const which = unknown === undefined ? 'the columns of *' : `the columns ${unknown.join(', ')}`;
    log.reject(place, 'columns', `the types of ${which} are unknown: import with a database that has the tables`);
    return undefined;
  }
  const columns = names.map((name, index) => {
    const { description, nullable } = declared.get(name ?? '') ?? {};
    return columnOf(name ?? '', types[index] ?? '', description, nullable);
  });
  reportColumns(converted, columns, read, log);
  return columns;
}

/** Returns a message if the type of a column depends on the parameters, because a column must have one type. */
function findDifference([first, ...others]: readonly VariantColumns[]): string | undefined {
  for (const { choices, columns } of others) {
    const index = columns.findIndex(({ type }, place) => type !== first?.columns[place]?.type);
    const [one, other] = [first?.columns[index], columns[index]];
    if (first === undefined || one === undefined || other === undefined) continue;
    const [when, otherwise] = [formatChoices(first.choices), formatChoices(choices)];
    return `the column ${one.name} has several types, ${one.type} (when ${when}) and ${other.type} (when ${otherwise}): use CAST`;
  }
  return undefined;
}

function reportColumns(
  { columns: declared, sql }: ConvertedDefinition,
  columns: readonly ColumnDefinition[],
  read: readonly ResultColumn[] | undefined,
  log: ConversionLog,
): void {
  const place = placeIn(sql.source, sql.sourceOffset(0));
  for (const { name, type } of declared) {
    const column = columns.find(({ col }) => col === name);
    if (column === undefined) {
      log.change(place, 'columns', `the declared column ${name} is dropped: the SELECT does not return it`);
      continue;
    }
    const got = read?.find((one) => one.name === name);
    const mismatch = type && got && findColumnMismatch({ ...column, data_type: type as never }, got, []);
    if (mismatch) log.change(place, 'columns', `${name} has the type of the database, ${got.type}, not ${type}`);
  }
  const described = new Set(declared.filter(({ description }) => description !== undefined).map(({ name }) => name));
  const others = columns.filter(({ col }) => !described.has(col)).map(({ col }) => col);
  if (others.length > 0) {
    log.change(place, 'columns', `no descriptions of ${others.join(', ')}: the names are the descriptions`);
  }
}

function outputNames(query: Query, readSqlText: SqlReader): readonly (string | null)[] | undefined {
  const [first] = query.problems.length > 0 ? [] : writeQueryTexts(query.variants, NO_ENDING);
  const reading = first === undefined ? undefined : readSqlText(first.sql);
  return reading !== undefined && 'findings' in reading ? reading.findings.outputs : undefined;
}

/** Creates a column. Its cells can be NULL unless the author declares otherwise. */
function columnOf(col: string, type: string, description = sentenceOf(col), nullable = true): ColumnDefinition {
  return { col, data_type: type as ColumnDefinition['data_type'], nullable, description };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

const TIMEOUT_MS = 10_000;

/** The columns of one variant of a query. */
interface VariantColumns {
  readonly choices: Variant['choices'];
  readonly columns: readonly ResultColumn[];
}

/**
 * Reads the columns of every variant of a query from the database, without reading rows. Rejects with the error of the
 * database if it cannot run the query. `Database.describe` gets no parameter values, so it cannot determine the type of
 * a column that contains a parameter. This function runs the query with sample values instead.
 */
async function readColumns(
  database: Database,
  { variants }: Query,
  params: Readonly<Record<string, ParameterDefinition>>,
  signal: AbortSignal | undefined,
): Promise<VariantColumns[]> {
  const samples = Object.fromEntries(Object.entries(params).map(([name, definition]) => [name, sampleOf(definition)]));
  const compile = createCompiler(variants, NO_ENDING);
  const read: VariantColumns[] = [];
  for (const { choices } of variants.all) {
    // For a list, the choice states only whether the list is present.
    const chosen = Object.entries(choices).map(([name, choice]) => {
      const isList = params[name]?.type === 'array' && choice !== null;
      return [name, isList ? (samples[name] ?? null) : choice] as const;
    });
    const compiled = compile({ ...samples, ...Object.fromEntries(chosen) }, SAMPLE_TIME);
    const query = database.prepare(`SELECT * FROM (\n${compiled.sql}\n) AS imported LIMIT 0`);
    const { columns } = await database.query(query, compiled.values, { maxRows: 1, timeoutMs: TIMEOUT_MS, signal });
    read.push({ choices, columns });
  }
  return read;
}

const SAMPLE_TIME = new Date('2020-01-01T00:00:00Z');

/** Returns a value of the type of a parameter. No rows are read, so the value need not exist in the data. */
function sampleOf(definition: ParameterDefinition): ParameterValue {
  const { default: fallback, enum: choices, type, format, minimum = 1, items } = definition;
  if (fallback !== undefined) return fallback;
  if (choices?.[0] !== undefined) return choices[0];
  if (type === 'array') return [sampleOf({ ...(items as ParameterDefinition) }) as string | number];
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'boolean') return true;
  return format === 'date' ? '2020-01-01' : 'a';
}
