import { LRUCache } from 'lru-cache';
import type { DataSource } from '../databases/interface/data-source.js';
import type { Cell, Database, PreparedQuery, ResultSet } from '../databases/interface/database.js';
import { type Deadline, type QueryLimits, withDeadline } from '../databases/interface/deadline.js';
import { EngineError } from '../databases/interface/errors.js';
import { readSources } from '../definitions/endpoint/data-source.js';
import type { Endpoint, EndpointNotice, EndpointQuery } from '../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../definitions/parameters/parameter-values.js';
import type { CompiledQuery } from '../definitions/query/compiled-query.js';
import { lookedUpValue } from '../definitions/query/lookups.js';
import type { PagePosition } from '../definitions/query/page-position.js';
import type { TableVersions } from './exact-read.js';
import type { Observe } from './queries/events.js';
import type { QueryRunner } from './queries/query-runner.js';

/** A request whose metadata are read. */
export interface DescribedRequest {
  readonly endpoint: Endpoint;
  readonly parameters: ParameterValues;
  readonly versions: TableVersions | undefined;
}

/** Reads the times of the data, the totals and the notices of requests. */
export interface RequestMetadata {
  freshness(request: DescribedRequest, now: Date): Promise<Freshness>;
  /** Rejects if a materialized table of the endpoint has the rows of another version of its definition, or if this is unknown. */
  requireCurrentRows(request: DescribedRequest, now: Date): Promise<void>;
  /** Binds the values of lookups as parameters of the main query, see `MetadataQueries.bindLookups`. */
  bindLookups(
    request: DescribedRequest & { readonly query: CompiledQuery; readonly after: PagePosition | undefined },
    now: Date,
  ): CompiledQuery | Promise<CompiledQuery>;
  /** Returns the number of all rows, see `MetadataQueries.total`. */
  total(request: DescribedRequest, now: Date): Promise<number | null | undefined>;
  /** Returns the notices of an answer without rows. */
  emptyNotices(
    request: DescribedRequest,
    times: { readonly startedAt: Date; readonly deadline: Deadline },
  ): Promise<Pick<Freshness, 'notices' | 'isComplete'>>;
}

export interface MetadataParts {
  readonly database: Database;
  readonly stopwatch: () => number;
  readonly observe: Observe;
  readonly runQuery: QueryRunner['run'];
  readonly prepare: (sql: string) => PreparedQuery;
  readonly metadataTimeoutMs?: number | undefined;
}

const METADATA_TIMEOUT_MS = 2000;
/** For tests of definitions: longer than the timeout of a definition, which then applies, so that the result does not depend on the load. */
export const PATIENT_METADATA_TIMEOUT_MS = 600_000;

export function createRequestMetadata({
  database,
  stopwatch,
  observe,
  runQuery,
  prepare,
  metadataTimeoutMs = METADATA_TIMEOUT_MS,
}: MetadataParts): RequestMetadata {
  const run = ({ sql, values }: CompiledQuery, limits: QueryLimits) =>
    database.query(prepare(sql), values, { ...limits, maxRows: MAX_NOTICE_ROWS });
  const runShared: RunMetadataQuery = (query) => run(query, { timeoutMs: metadataTimeoutMs });
  const queries = new MetadataQueries(runShared, stopwatch, observe);
  /** Few requests share a metadata query with parameters, so such a query uses the concurrency limit of the main query. */
  const runnerOf = ({ definition }: Endpoint, request?: Deadline): RunMetadataQuery => {
    const remainingMs = request?.remainingMs ?? definition.limits.timeoutMs;
    const timeoutMs = Math.min(metadataTimeoutMs, Math.ceil(remainingMs));
    return (query) =>
      withDeadline({ timeoutMs, signal: request?.signal }, (deadline) =>
        runQuery(definition, deadline, () => run(query, { deadline })),
      );
  };
  return {
    freshness: ({ endpoint, parameters: values, versions }, now) =>
      queries.freshness(endpoint, { values, now, versions, run: runnerOf(endpoint) }),
    requireCurrentRows: ({ endpoint, parameters: values, versions }, now) =>
      queries.requireCurrentRows(endpoint, { values, now, versions, run: runnerOf(endpoint) }),
    bindLookups: ({ endpoint, parameters: values, versions, query, after }, now) =>
      queries.bindLookups(endpoint, endpoint.query, query, { values, now, versions, run: runnerOf(endpoint) }, after),
    total: ({ endpoint, parameters: values, versions }, now) =>
      queries.total(endpoint, { values, now, versions, run: runnerOf(endpoint) }),
    emptyNotices: ({ endpoint, parameters: values, versions }, { startedAt: now, deadline }) => {
      const { signal } = deadline;
      return queries.emptyNotices(endpoint, { values, now, versions, run: runnerOf(endpoint, deadline), signal });
    },
  };
}

/** The times of the data, the notices and the sources of an answer. */
interface Freshness {
  readonly dataAsOf: Date | undefined;
  /**
   * The time when the tables were computed. Undefined if the endpoint does not define `computed_at`, null if the time
   * is unknown.
   */
  readonly computedAt: Date | null | undefined;
  readonly notices: readonly string[];
  /** The sources of the data; undefined if the endpoint does not return sources, null if they could not be read completely. */
  readonly sources: readonly DataSource[] | null | undefined;
  /** False if one of the queries failed. */
  readonly isComplete: boolean;
}

type RunMetadataQuery = (query: CompiledQuery) => Promise<ResultSet>;

/** The request for which metadata queries run. */
interface MetadataRequest {
  readonly values: ParameterValues;
  readonly now: Date;
  /** The versions of the tables of the endpoint; undefined if they are unknown. */
  readonly versions: TableVersions | undefined;
  readonly run: RunMetadataQuery;
  /** If this signal is aborted, the queries and the answer fail. */
  readonly signal: AbortSignal | undefined;
}

/** Results are reused for this time if the versions of their tables are unknown, so that most requests run only their main query. */
const REUSE_MS = 5000;
/** A failure is reused for this time, so that a query that always fails does not run for every request. */
const FAILURE_REUSE_MS = 1000;
/** The maximum number of cached results. The cache keys contain parameters of callers, so their number needs a limit. */
const MAX_REMEMBERED = 1000;

/**
 * Runs the metadata queries of endpoints: `data_as_of`, `computed_at` and notices. If a metadata query fails, the answer does not
 * fail: the failure is reported to the observer, and the result counts as unknown.
 */
class MetadataQueries {
  readonly #runShared: RunMetadataQuery;
  readonly #stopwatch: () => number;
  readonly #observe: Observe;
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });

  /** `runShared` runs queries that have no parameters: all requests share their results. */
  constructor(runShared: RunMetadataQuery, stopwatch: () => number, observe: Observe) {
    this.#runShared = runShared;
    this.#stopwatch = stopwatch;
    this.#observe = observe;
  }

  /**
   * Returns the results of `data_as_of`, `computed_at` and the `always` notices. With versions, the results are those
   * of the tables at these versions. Without versions, they are at most five seconds old. Requests share the queries,
   * so aborting one request does not stop them. Rejects like `requireCurrentRows`.
   */
  async freshness(endpoint: Endpoint, request: Omit<MetadataRequest, 'signal'>): Promise<Freshness> {
    const { dataAsOf, computedAt } = endpoint;
    const always = endpoint.notices.filter(({ when }) => when === 'always');
    const [, newest, computed, ...notices] = await Promise.all([
      this.requireCurrentRows(endpoint, request),
      dataAsOf && this.#remember(endpoint, dataAsOf, request),
      computedAt && this.#remember(endpoint, computedAt, request),
      ...always.map((notice) =>
        this.#readNeeded(endpoint, notice, request, () => this.#remember(endpoint, notice.query, request)),
      ),
    ]);
    const areTimesRead = (!dataAsOf || newest !== undefined) && (!computedAt || computed !== undefined);
    return {
      dataAsOf: timeOf(newest),
      computedAt: computedAt && (timeOf(computed) ?? null),
      notices: notices.flatMap(noticeTexts),
      sources: sourcesOf(endpoint, notices),
      isComplete: areTimesRead && !notices.includes(undefined),
    };
  }

  async requireCurrentRows(endpoint: Endpoint, request: Omit<MetadataRequest, 'signal'>): Promise<void> {
    const { refreshTime: query } = endpoint;
    if (query === undefined) return;
    const compiled = query.compile({}, request.now);
    // Without versions, the result is not reused, because the rows can be those of another version of the definition by then.
    const read = () =>
      this.#attempt(endpoint, query, compiled, { ...request, run: this.#runShared, signal: undefined });
    const refreshed = await (request.versions === undefined ? read() : this.#remember(endpoint, query, request));
    if (refreshed === undefined) throw new EngineError('database_unavailable', UNKNOWN_ROWS);
    if (refreshed.rows[0]?.[0] === null) throw new EngineError('endpoint_broken', NOT_COMPUTED);
  }

  /**
   * Returns the number of all rows; undefined if the endpoint defines no `total`, null if it could not be counted. A
   * count is not cached if the table versions are unknown, because it would be older than the rows.
   */
  async total(endpoint: Endpoint, request: Omit<MetadataRequest, 'signal'>): Promise<number | null | undefined> {
    const { total: query } = endpoint;
    if (query === undefined) return undefined;
    const { values, now, versions } = request;
    const result =
      versions === undefined
        ? this.#attempt(endpoint, query, query.compile(values, now), { ...request, signal: undefined })
        : this.#remember(endpoint, query, request);
    const count = Number((await result)?.rows[0]?.[0] ?? Number.NaN);
    return Number.isSafeInteger(count) ? count : null;
  }

  /** Returns the notices of an answer without rows. */
  async emptyNotices(endpoint: Endpoint, request: MetadataRequest): Promise<Pick<Freshness, 'notices' | 'isComplete'>> {
    const empty = endpoint.notices.filter(({ when }) => when === 'empty');
    const notices = await Promise.all(
      empty.map((notice) =>
        this.#readNeeded(endpoint, notice, request, () =>
          this.#attempt(endpoint, notice.query, notice.query.compile(request.values, request.now), request),
        ),
      ),
    );
    return { notices: notices.flatMap(noticeTexts), isComplete: !notices.includes(undefined) };
  }

  /** Reads a notice, unless its query `needs` returned no rows. If that query failed, the notice is read. */
  async #readNeeded(
    endpoint: Endpoint,
    { needs }: EndpointNotice,
    request: Omit<MetadataRequest, 'signal'>,
    read: () => Promise<ResultSet | undefined>,
  ): Promise<ResultSet | undefined> {
    const found = needs && (await this.#remember(endpoint, needs, request));
    return found?.rows.length === 0 ? NO_ROWS : read();
  }

  /**
   * Compiles a query of an endpoint again with the values of its lookups, which all queries of the request share. If
   * the versions of the tables are unknown, the database evaluates the lookups itself, because the data could change
   * between two queries. In this case, and if the query has no lookups, returns `compiled` unchanged.
   */
  bindLookups(
    endpoint: Endpoint,
    query: EndpointQuery,
    compiled: CompiledQuery,
    request: Omit<MetadataRequest, 'signal'>,
    after?: PagePosition,
  ): CompiledQuery | Promise<CompiledQuery> {
    const { values, now, versions } = request;
    const lookups = query.lookups(values);
    if (versions === undefined || lookups.size === 0) return compiled;
    const results = [...lookups.values()].map((lookup) => this.#remember(endpoint, lookup, request));
    return Promise.all(results).then((read) => {
      const found = read.map((result) => result && lookedUpValue(result));
      if (found.includes(undefined)) return compiled;
      const ofLookups = [...lookups.keys()].map((name, index) => [name, found[index] ?? null] as const);
      return query.compileWith({ ...values, ...Object.fromEntries(ofLookups) }, now, after);
    });
  }

  /** Returns the cached result of a query, or runs the query. Concurrent callers share one query. */
  #remember(endpoint: Endpoint, query: EndpointQuery, request: Omit<MetadataRequest, 'signal'>) {
    const compiled = query.compile(request.values, request.now);
    const key = keyOf(query, compiled, request.versions);
    const known = this.#remembered.get(key);
    if (known !== undefined && this.#stopwatch() < known.until) return known.result;
    const run = query.parameters.length === 0 ? this.#runShared : request.run;
    const result = this.#attempt(endpoint, query, compiled, { ...request, run, signal: undefined });
    const until = request.versions === undefined ? this.#stopwatch() + REUSE_MS : Number.POSITIVE_INFINITY;
    const entry: Remembered = { result, until };
    this.#remembered.set(key, entry);
    void result.then((rows) => {
      if (rows === undefined) entry.until = Math.min(until, this.#stopwatch() + FAILURE_REUSE_MS);
    });
    return result;
  }

  async #attempt(
    endpoint: Endpoint,
    query: EndpointQuery,
    compiled: CompiledQuery,
    request: MetadataRequest,
  ): Promise<ResultSet | undefined> {
    const { run, signal } = request;
    try {
      const bound = this.bindLookups(endpoint, query, compiled, request);
      const result = await run(bound instanceof Promise ? await bound : bound);
      if (query.key.startsWith('notices.')) readSources(result);
      return result;
    } catch (cause) {
      if (signal?.aborted) throw cause;
      this.#observe({ kind: 'metadata_query_failed', endpoint: endpoint.definition.name, key: query.key, cause });
      return undefined;
    }
  }
}

const NOT_COMPUTED =
  'The stored rows that this endpoint reads are those of another version of their definition. Try again when they are computed.';

const UNKNOWN_ROWS =
  'The database did not return in time which version of their definition the stored rows have. Try again later.';

const NO_ROWS: ResultSet = { columns: [], rows: [], more: false };

interface Remembered {
  readonly result: Promise<ResultSet | undefined>;
  /** The time when the result expires, as a value of the stopwatch. */
  until: number;
}

/**
 * Returns the cache key of a query. Queries with the same SQL and values share one key, also between endpoints. If the
 * data change during a query, its result can be stored under the key of the versions before the change. No answer uses
 * such a result, because each request compares the versions again after it has read the result.
 */
function keyOf({ tables }: EndpointQuery, { sql, values }: CompiledQuery, versions: TableVersions | undefined): string {
  const state = versions === undefined ? '' : [...tables].map((table) => `${table} ${versions.get(table)}`).join(',');
  return JSON.stringify([versions !== undefined, state, values, sql]);
}

/** The maximum number of rows that a notice query returns. Each row is a text or an entry of `sources`. */
const MAX_NOTICE_ROWS = 500;
/** The maximum number of texts of a notice. */
const MAX_NOTICE_TEXTS = 20;

function noticeTexts(result: ResultSet | undefined): string[] {
  if (result === undefined) return ['Notices for this answer could not be loaded.'];
  const texts = result.rows.flatMap(([text]) => (typeof text === 'string' && text !== '' ? [text] : []));
  const shown = texts.slice(0, MAX_NOTICE_TEXTS);
  const areCut = result.more || texts.length > shown.length;
  return areCut ? [...shown, `There are more than these ${shown.length} notices.`] : shown;
}

function sourcesOf(
  { statesSources }: Endpoint,
  results: readonly (ResultSet | undefined)[],
): readonly DataSource[] | null | undefined {
  if (!statesSources) return undefined;
  // If entries were missing, a time range without data could look complete.
  const known = results.filter((result) => result !== undefined && !result.more) as ResultSet[];
  return known.length === results.length ? known.flatMap(readSources) : null;
}

/** Returns the time in the only cell of a result, as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` in UTC. */
export function timeOf(result: ResultSet | undefined): Date | undefined {
  const cell: Cell | undefined = result?.rows[0]?.[0];
  if (typeof cell !== 'string' || !/^\d{4}-\d\d-\d\d/.test(cell)) return undefined;
  const text = cell.length === 10 ? `${cell}T00:00:00` : cell.replace(' ', 'T');
  const time = new Date(`${text}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
