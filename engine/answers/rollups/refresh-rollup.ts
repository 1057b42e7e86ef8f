import type { DataVersions } from '../../databases/interface/data-versions.js';
import type { BoundValue, Database } from '../../databases/interface/database.js';
import type { RollupState, RollupStore } from '../../databases/interface/rollups.js';
import type { Endpoint, EndpointQuery, Rollup } from '../../definitions/endpoint/endpoint.js';
import { startValues, WATERMARK } from '../../definitions/endpoint/rollup.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import { sqlTime } from '../../definitions/query/compiled-query.js';

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
  endpoint: Endpoint,
  rollup: Rollup,
  { database, store, versions, clock }: RefreshParts,
  { isFull: isAsked = false, signal }: RefreshOptions,
): Promise<Refresh> {
  const { table, settings, identity, columns } = rollup;
  const { key, watermark, rows: maxRows, timeoutMs } = settings;
  const known = (await store.states()).get(table);
  const now = clock();
  const isKept = !isAsked && known?.definition === identity && !hasPassed(settings.fullMs, known.fullAt, now);
  const largest = isKept && watermark !== undefined ? await store.largest(table, watermark) : null;
  const from = watermark === undefined || largest === null ? undefined : { column: watermark, value: largest };
  // The versions and the age are read first, so that a change during the refresh leads to another refresh.
  const sources = await versionsOf(settings.after, versions, signal);
  const dataAsOf = await readDataAsOf(rollup.dataAsOf, database, { now, timeoutMs, signal });
  const values = { ...startValues(endpoint.definition), ...(from && { [WATERMARK]: toParameter(from.value) }) };
  const { description = endpoint.definition.summary } = endpoint.definition;
  const state = await store.write({
    ...{ table, description, key, from, maxRows, timeoutMs, signal },
    columns: columns.map(({ col, nullable, description: text }) => ({
      name: col,
      isNullable: nullable,
      description: text,
    })),
    ...rollup.query.compile(values, now),
    state: {
      ...{ definition: identity, refreshedAt: sqlTime(now), dataAsOf, sources: JSON.stringify(sources) },
      fullAt: from === undefined || known === undefined ? sqlTime(now) : known.fullAt,
    },
  });
  return { ...state, isFull: from === undefined };
}

/** Whether the rows of a definition must be computed again. */
export async function isDue(
  { table, identity, settings }: Rollup,
  states: ReadonlyMap<string, RollupState>,
  { versions, clock }: Pick<RefreshParts, 'versions' | 'clock'>,
  signal: AbortSignal,
): Promise<boolean> {
  const state = states.get(table);
  if (state === undefined || state.definition !== identity) return true;
  const { everyMs, after } = settings;
  if (hasPassed(everyMs, state.refreshedAt, clock())) return true;
  return after.length > 0 && JSON.stringify(await versionsOf(after, versions, signal)) !== state.sources;
}

/**
 * Whether a time limit since a time in SQL has passed. Without a limit, it never passes. A time that is so far in the future comes from a
 * wrong clock, and counts as passed.
 */
function hasPassed(limitMs: number | undefined, since: string, now: Date): boolean {
  return limitMs !== undefined && Math.abs(now.getTime() - Date.parse(`${since.replace(' ', 'T')}Z`)) >= limitMs;
}

/** Returns the materialized definitions so that each one follows those that it reads. */
export function inOrderOfReading(endpoints: readonly Endpoint[]): readonly (readonly [Endpoint, Rollup])[] {
  const all = endpoints.flatMap((endpoint) => (endpoint.rollup ? [[endpoint, endpoint.rollup] as const] : []));
  const ordered: (readonly [Endpoint, Rollup])[] = [];
  const visited = new Set<Rollup>();
  const visit = (one: readonly [Endpoint, Rollup]) => {
    const [, rollup] = one;
    if (visited.has(rollup)) return;
    visited.add(rollup);
    for (const other of all) if (rollup.query.tables.has(other[1].table)) visit(other);
    ordered.push(one);
  };
  for (const one of all) visit(one);
  return ordered;
}

/** The versions of tables by name; null for a table without a version. */
async function versionsOf(tables: readonly string[], versions: DataVersions, signal: AbortSignal) {
  if (tables.length === 0) return {};
  const state = await versions.confirm(signal);
  return Object.fromEntries(tables.map((table) => [table, state.tables.get(table) ?? null]));
}

async function readDataAsOf(
  query: EndpointQuery | undefined,
  database: Database,
  { now, ...limits }: { readonly now: Date; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string | null> {
  if (query === undefined) return null;
  const { sql, values } = query.compile({}, now);
  const { rows } = await database.query(database.prepare(sql), values, { ...limits, maxRows: 1 });
  const cell = rows[0]?.[0];
  return typeof cell === 'string' ? cell.slice(0, 19) : null;
}

/** An integer beyond 2^53 stays a `bigint`, which is bound exactly. */
function toParameter(value: BoundValue): ParameterValues[string] {
  return value as ParameterValues[string];
}
