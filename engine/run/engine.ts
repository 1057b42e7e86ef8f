import { requireColumns } from '../cells/row-writer.js';
import { type BrokenEndpoint, brokenEndpointError } from '../endpoint/broken-endpoint.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { unknownEndpointError } from '../endpoint/unknown-endpoint.js';
import type { DataVersions } from '../interface/data-versions.js';
import type { Database, PreparedQuery, ResultSet } from '../interface/database.js';
import { Deadline, type QueryLimits, withDeadline } from '../interface/deadline.js';
import { EngineError } from '../interface/errors.js';
import type { ParameterValues, RawParameters } from '../parameters/parameter-values.js';
import type { CompiledQuery } from '../query/compiled-query.js';
import type { Answer, Plan } from './answer.js';
import type { Observe } from './events.js';
import { type LookUpOptions, type LookUpResult, QueryLookUp } from './look-up.js';
import { createMetadataQueries, type MetadataQueries, type RunMetadataQuery } from './metadata-queries.js';
import { type PreparedQueries, prepareEndpoints } from './prepared-queries.js';
import { createQueryRunner, type QueryRunner } from './query-runner.js';
import type { CacheRule, RequestIdentity } from './request-identity.js';

export interface EngineParts {
  readonly endpoints: readonly Endpoint[];
  /** Invalid definitions. Requests for them fail with `endpoint_broken`. */
  readonly broken?: readonly BrokenEndpoint[];
  readonly database: Database;
  /** Returns the time for `{{ now }}` and for the age of data. A fixed time replays old data. Default: system clock. */
  readonly clock?: () => Date;
  /** Returns milliseconds since any fixed moment, for durations. */
  readonly stopwatch: () => number;
  /** The age in milliseconds after which data are stale. If it is absent, no answer is stale because of its age. */
  readonly staleAfterMs?: number;
  /** The versions of the tables; absent if another program writes them. Then answers state no version. */
  readonly versions?: DataVersions;
  readonly observe?: Observe;
}

export interface RunOptions {
  /** If this signal is aborted, the database stops the query, and the run fails with `query_cancelled`. */
  readonly signal?: AbortSignal;
}

/** Runs endpoints on one database. Its promises reject only with `EngineError`. */
export interface Engine {
  /** The valid definitions; the database may be unable to run some of them. */
  readonly endpoints: readonly Endpoint[];
  /** Returns the endpoints that cannot be served: invalid definitions, and endpoints whose SQL the database rejects. */
  broken(): readonly BrokenEndpoint[];
  /** Looks up the tables, columns and functions of queries in the database, so that errors are found before the first request. */
  lookUp(options: LookUpOptions, endpoints?: readonly Endpoint[]): Promise<LookUpResult>;
  /** Returns the endpoint with a name. Throws `endpoint_not_found`, or `endpoint_broken` for an invalid definition. */
  endpoint(name: string): Endpoint;
  /** Answers a request. Rejects with an `EngineError`. */
  run(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Answer>;
  /** Returns the query plan of a request. The query does not run. */
  explain(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Plan>;
  /** Returns what the answer to a request depends on. No query runs. Throws `bad_parameter`. */
  identify(endpoint: Endpoint, raw: RawParameters): RequestIdentity;
  /** Whether and how long the answers of an endpoint can be stored. */
  cacheRule(endpoint: Endpoint): CacheRule;
  /** Reports an answer that was sent without a query to the observer, so that it counts like other answers. */
  reportStored(endpoint: Endpoint, parameters: ParameterValues): void;
}

/** Prepares all queries for the database. Endpoints with a query that the database cannot express are broken; the others work. */
export function createEngine(parts: EngineParts): Engine {
  return new DatabaseEngine(parts);
}

const MAX_PLAN_ROWS = 1000;
const MAX_NOTICES = 20;
const METADATA_TIMEOUT_MS = 2000;

/** The clock and the deadline of one request, which all its queries share. */
interface RequestTimes {
  readonly startedAt: Date;
  /** The start of the request, as a value of the stopwatch. */
  readonly started: number;
  readonly deadline: Deadline;
}

class DatabaseEngine implements Engine {
  readonly endpoints: readonly Endpoint[];
  readonly #parts: EngineParts;
  readonly #byName: ReadonlyMap<string, Endpoint>;
  readonly #observe: Observe;
  readonly #prepared: PreparedQueries;
  readonly #lookUp: QueryLookUp;
  readonly #runQuery: QueryRunner;
  readonly #metadata: MetadataQueries;

  constructor(parts: EngineParts) {
    const { endpoints, database, stopwatch, observe = () => {} } = parts;
    const prepared = prepareEndpoints(endpoints, database);
    this.endpoints = endpoints;
    this.#parts = parts;
    this.#byName = new Map(endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
    this.#observe = observe;
    this.#prepared = prepared;
    this.#lookUp = new QueryLookUp({ database, prepare: (sql) => this.#prepare(sql), stopwatch });
    this.#runQuery = createQueryRunner({ concurrency: shareOf(database), observe });
    const runShared: RunMetadataQuery = (query) => this.#queryMetadata(query, { timeoutMs: METADATA_TIMEOUT_MS });
    this.#metadata = createMetadataQueries(runShared, stopwatch, observe);
  }

  endpoint(name: string): Endpoint {
    const endpoint = this.#byName.get(name);
    if (endpoint !== undefined) return endpoint;
    const broken = this.#parts.broken?.find((one) => one.name === name);
    if (broken !== undefined) throw brokenEndpointError(broken);
    throw unknownEndpointError(name, this.endpoints);
  }

  broken(): readonly BrokenEndpoint[] {
    const all = [...(this.#parts.broken ?? []), ...this.#prepared.broken.values(), ...this.#lookUp.broken.values()];
    return all.sort((one, other) => (one.file < other.file ? -1 : 1));
  }

  lookUp(options: LookUpOptions, endpoints = this.endpoints): Promise<LookUpResult> {
    const prepared = endpoints.filter((endpoint) => !this.#prepared.broken.has(endpoint));
    return this.#lookUp.run(prepared, options);
  }

  run(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Answer> {
    return this.#request(endpoint, options, async (times) => {
      const answer = await this.#answer(endpoint, raw, times);
      const { parameters, rows, truncated, ms } = answer;
      const name = endpoint.definition.name;
      this.#observe({ kind: 'answered', endpoint: name, parameters, rows: rows.length, truncated, ms });
      return answer;
    });
  }

  /** The whole request: raw → parameters → compiled query → rows → answer. Only reading the rows has side effects. */
  async #answer(endpoint: Endpoint, raw: RawParameters, times: RequestTimes): Promise<Answer> {
    const { startedAt, started, deadline } = times;
    const parameters = endpoint.readParameters(raw);
    const query = endpoint.query.compile(parameters, startedAt);
    const limit = endpoint.rowLimit(parameters);
    const metadata = { values: parameters, now: startedAt };
    const [{ columns, rows, more }, { dataAsOf, computedAt, notices }] = await Promise.all([
      this.#rows(endpoint, query, limit, deadline),
      this.#metadata.freshness(endpoint, { ...metadata, run: this.#metadataRunner(endpoint) }),
    ]);
    const { signal } = deadline;
    const run = this.#metadataRunner(endpoint, deadline);
    const emptyNotices =
      rows.length > 0 ? [] : await this.#metadata.emptyNotices(endpoint, { ...metadata, run, signal });
    return {
      endpoint,
      parameters,
      sql: query.sql,
      database: this.#parts.database.name,
      columns,
      rows,
      limit,
      truncated: more,
      nextPage: more ? endpoint.nextPage(parameters) : undefined,
      ...this.#duration(startedAt, started),
      dataAsOf,
      computedAt,
      staleAfterMs: this.#parts.staleAfterMs,
      notices,
      emptyNotices,
      versions: undefined,
      isComplete: true,
    };
  }

  explain(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Plan> {
    return this.#request(endpoint, options, async ({ startedAt, started, deadline }) => {
      const { database } = this.#parts;
      const parameters = endpoint.readParameters(raw);
      const { sql, values } = endpoint.query.compile(parameters, startedAt);
      const { columns, rows } = await this.#runQuery(endpoint.definition, deadline, () =>
        database.explain(this.#prepare(sql), values, { maxRows: MAX_PLAN_ROWS, deadline }),
      );
      const duration = this.#duration(startedAt, started);
      return { endpoint, parameters, sql, database: database.name, columns, rows, ...duration };
    });
  }

  identify(endpoint: Endpoint, raw: RawParameters): RequestIdentity {
    return { parameters: endpoint.readParameters(raw), key: '', validUntil: 0 };
  }

  cacheRule(): CacheRule {
    return { kind: 'never', reason: 'the versions of tables are unknown' };
  }

  reportStored(endpoint: Endpoint, parameters: ParameterValues): void {
    const { name } = endpoint.definition;
    this.#observe({ kind: 'answered', endpoint: name, parameters, rows: 0, truncated: false, ms: 0 });
  }

  async #rows(
    endpoint: Endpoint,
    { sql, values }: CompiledQuery,
    maxRows: number,
    deadline: Deadline,
  ): Promise<ResultSet> {
    const result = await this.#runQuery(endpoint.definition, deadline, () =>
      this.#parts.database.query(this.#prepare(sql), values, { maxRows, deadline }),
    );
    requireColumns(endpoint, result);
    return result;
  }

  /** Metadata queries with parameters run once per request, so they have the concurrency limit of the main query. */
  #metadataRunner({ definition }: Endpoint, request?: Deadline): RunMetadataQuery {
    const remainingMs = request?.remainingMs ?? definition.limits.timeoutMs;
    const timeoutMs = Math.min(METADATA_TIMEOUT_MS, Math.ceil(remainingMs));
    return (query) =>
      withDeadline({ timeoutMs, signal: request?.signal }, (deadline) =>
        this.#runQuery(definition, deadline, () => this.#queryMetadata(query, { deadline })),
      );
  }

  #queryMetadata({ sql, values }: CompiledQuery, limits: QueryLimits): Promise<ResultSet> {
    return this.#parts.database.query(this.#prepare(sql), values, { ...limits, maxRows: MAX_NOTICES });
  }

  /** Runs `work` with the times of the request. Converts every failure to an `EngineError` and reports it. */
  async #request<Result>(
    endpoint: Endpoint,
    { signal }: RunOptions,
    work: (times: RequestTimes) => Promise<Result>,
  ): Promise<Result> {
    const { clock = systemClock, stopwatch } = this.#parts;
    const started = stopwatch();
    const deadline = new Deadline({ timeoutMs: endpoint.definition.limits.timeoutMs, signal });
    try {
      const broken = this.#prepared.broken.get(endpoint) ?? this.#lookUp.broken.get(endpoint);
      if (broken !== undefined) throw brokenEndpointError(broken);
      return await work({ startedAt: clock(), started, deadline });
    } catch (thrown) {
      const error = asEngineError(thrown);
      const cause = error.details.cause ?? error;
      const { name } = endpoint.definition;
      this.#observe({ kind: 'failed', endpoint: name, code: error.code, ms: stopwatch() - started, cause });
      throw error;
    } finally {
      deadline.end();
    }
  }

  #prepare(sql: string): PreparedQuery {
    return this.#prepared.texts.memo(sql);
  }

  #duration(startedAt: Date, started: number): Pick<Answer, 'startedAt' | 'finishedAt' | 'ms'> {
    const ms = this.#parts.stopwatch() - started;
    return { startedAt, finishedAt: new Date(startedAt.getTime() + Math.round(ms)), ms };
  }
}

const systemClock = () => new Date();

/**
 * Returns the number of connections that one endpoint can use. It is two thirds of all connections, so that a slow
 * endpoint leaves some connections for other endpoints.
 */
function shareOf({ concurrency }: Database): number {
  return Math.max(1, Math.min(Math.ceil((concurrency * 2) / 3), concurrency - 1));
}

/** Converts errors of drivers. The caller gets a fixed message, the log gets the cause. */
function asEngineError(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  return new EngineError('query_failed', 'The query failed. The log contains the reason under the request id.', {
    cause,
  });
}
