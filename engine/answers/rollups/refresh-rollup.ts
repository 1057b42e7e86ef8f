import type { DataVersions, VersionState } from '../../databases/interface/data-versions.js';
import type { BoundValue, Database } from '../../databases/interface/database.js';
import {
  AllRowsNeededError,
  RollupError,
  type RollupState,
  type RollupStore,
  type RollupWrite,
} from '../../databases/interface/rollups.js';
import type { Endpoint, EndpointQuery, Rollup } from '../../definitions/endpoint/endpoint.js';
import { startValues, WATERMARK } from '../../definitions/endpoint/rollup.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import { sqlTime } from '../../definitions/query/compiled-query.js';
import { timeOf } from '../request-metadata.js';

export interface RefreshParts {
  readonly database: Database;
  readonly store: RollupStore;
  readonly versions: DataVersions;
  readonly clock: () => Date;
}

export interface RefreshOptions {
  /** Whether all rows are computed, also with a watermark. */
  readonly isFull?: boolean;
  readonly signal: AbortSignal;
}

/** A refresh that succeeded. */
export interface Refresh extends RollupState {
  /** Whether all rows were computed. */
  readonly isFull: boolean;
}

/** Computes the rows of a materialized definition and stores them. Rejects with a `RollupError` or the error of the database. */
export async function refreshRollup(
  one: MaterializedEndpoint,
  parts: RefreshParts,
  { isFull = false, signal }: RefreshOptions,
): Promise<Refresh> {
  const { rollup, reads } = one;
  const { table, settings, identity } = rollup;
  const states = await parts.store.states();
  const known = states.get(table);
  const unread = reads.find((other) => states.get(other.table)?.definition !== other.identity);
  if (unread !== undefined)
    throw new RollupError(`${table} reads ${unread.table}, whose rows are not computed for its current definition.`);
  const now = parts.clock();
  const isKept = !isFull && known?.definition === identity && !hasPassed(settings.fullMs, known.fullAt, now);
  // The versions and the age are read first, so that a change during the refresh leads to another refresh.
  const sources = await sourcesOf(one, states, parts.versions, signal);
  const dataAsOf = await readDataAsOf(rollup.dataAsOf, parts.database, { now, timeoutMs: settings.timeoutMs, signal });
  const state = { definition: identity, refreshedAt: sqlTime(now), dataAsOf, sources };
  if (isKept && settings.watermark !== undefined) {
    const [column, value] = [settings.watermark, await parts.store.largest(table, settings.watermark)];
    const write = () =>
      writeRows(one, parts, { from: { column, value }, state: { ...state, fullAt: known.fullAt }, now, signal });
    const written = value === null ? undefined : await write().catch(unlessAllAreNeeded);
    if (written !== undefined) return { ...written, isFull: false };
  }
  const all = { from: undefined, state: { ...state, fullAt: state.refreshedAt }, now, signal };
  return { ...(await writeRows(one, parts, all)), isFull: true };
}

function unlessAllAreNeeded(error: unknown): undefined {
  if (!(error instanceof AllRowsNeededError)) throw error;
}

interface WriteOptions extends Pick<RollupWrite, 'from' | 'state' | 'signal'> {
  readonly now: Date;
}

function writeRows(
  { endpoint: { definition }, rollup }: MaterializedEndpoint,
  { store }: RefreshParts,
  { from, state, now, signal }: WriteOptions,
): Promise<RollupState> {
  const { table, settings, columns, query } = rollup;
  const { key, watermark, rows: maxRows, timeoutMs } = settings;
  const { description = definition.summary } = definition;
  const values = { ...startValues(definition), ...(from && { [WATERMARK]: toParameter(from.value) }) };
  return store.write({
    ...{ table, description, key, watermark, from, maxRows, timeoutMs, signal, state },
    columns: columns.map(({ col: name, data_type: dataType, scale, nullable: isNullable, description: text }) => ({
      ...{ name, dataType, scale, isNullable, description: text },
    })),
    ...query.compile(values, now),
  });
}

/** Whether the rows of a definition must be computed again. */
export async function isDue(
  { rollup, reads }: MaterializedEndpoint,
  states: ReadonlyMap<string, RollupState>,
  { versions, clock }: Pick<RefreshParts, 'versions' | 'clock'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { table, identity, settings } = rollup;
  const state = states.get(table);
  if (state === undefined || state.definition !== identity) return true;
  if (hasPassed(settings.everyMs, state.refreshedAt, clock())) return true;
  return (await sourcesOf({ rollup, reads }, states, versions, signal)) !== state.sources;
}

/**
 * Whether a time limit since a time in SQL has passed. Without a limit, it never passes. A time that is so far in the future comes from a
 * wrong clock, and counts as passed.
 */
function hasPassed(limitMs: number | undefined, since: string, now: Date): boolean {
  return limitMs !== undefined && Math.abs(now.getTime() - Date.parse(`${since.replace(' ', 'T')}Z`)) >= limitMs;
}

/** A materialized definition, and those whose tables its SQL reads. */
export interface MaterializedEndpoint {
  readonly endpoint: Endpoint;
  readonly rollup: Rollup;
  readonly reads: readonly Rollup[];
}

/** Returns the materialized definitions so that each one follows those that it reads. */
export function inOrderOfReading(endpoints: readonly Endpoint[]): readonly MaterializedEndpoint[] {
  const rollups = endpoints.flatMap(({ rollup }) => rollup ?? []);
  const all = endpoints.flatMap((endpoint) => {
    const { rollup } = endpoint;
    if (rollup === undefined) return [];
    return [{ endpoint, rollup, reads: rollups.filter(({ table }) => rollup.query.tables.has(table)) }];
  });
  const ordered = new Set<MaterializedEndpoint>();
  const visited = new Set<Rollup>();
  const visit = (one: MaterializedEndpoint) => {
    if (visited.has(one.rollup)) return;
    visited.add(one.rollup);
    for (const other of all) if (one.reads.includes(other.rollup)) visit(other);
    ordered.add(one);
  };
  for (const one of all) visit(one);
  return [...ordered];
}

/** Describes the state of the tables after whose changes the rows are computed again, as JSON. */
async function sourcesOf(
  { rollup: { settings }, reads }: Pick<MaterializedEndpoint, 'rollup' | 'reads'>,
  states: ReadonlyMap<string, RollupState>,
  versions: DataVersions,
  signal: AbortSignal,
): Promise<string> {
  // A table without a version is null. Another version of a definition makes all rows that were computed from its table wrong.
  const { tables } = settings.after.length === 0 ? NO_VERSIONS : await versions.confirm(signal);
  return JSON.stringify({
    ...Object.fromEntries(settings.after.map((table) => [table, tables.get(table) ?? null])),
    ...Object.fromEntries(reads.map(({ table }) => [`definition of ${table}`, states.get(table)?.definition])),
  });
}

const NO_VERSIONS: Pick<VersionState, 'tables'> = { tables: new Map() };

async function readDataAsOf(
  query: EndpointQuery | undefined,
  database: Database,
  { now, ...limits }: { readonly now: Date; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string | null> {
  if (query === undefined) return null;
  const { sql, values } = query.compile({}, now);
  const time = timeOf(await database.query(database.prepare(sql), values, { ...limits, maxRows: 1 }));
  return time === undefined ? null : sqlTime(time);
}

/** An integer beyond 2^53 stays a `bigint`, which is bound exactly. */
function toParameter(value: BoundValue): ParameterValues[string] {
  return value as ParameterValues[string];
}
