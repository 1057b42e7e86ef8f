import { type BrokenEndpoint, endpointBroken } from '../endpoint/broken-endpoint.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { Database, PreparedQuery, QueryOptions, ResultSet } from '../interface/database.js';
import { EngineError } from '../interface/errors.js';
import type { ParameterValues, RawParameters } from '../parameters/parameter-values.js';
import type { CompiledQuery } from '../query/compiled-query.js';
import type { Answer, Plan } from './answer.js';
import type { Observe } from './events.js';
import { type LookedUp, LookUp, type LookUpOptions } from './look-up.js';
import { createSideQueries, type RunSideQuery, type SideQueries } from './metadata-queries.js';
import { otherColumns } from './other-columns.js';
import { prepareAll } from './prepared-queries.js';
import { createRowsGuard, type RowsGuard } from './query-runner.js';

export interface EngineParts {
  readonly endpoints: readonly Endpoint[];
  /** Wrong definitions; requests for them get the reason. */
  readonly broken?: readonly BrokenEndpoint[];
  readonly database: Database;
  /** What `{{ now }}` says and ages are told by; it may stand still, to replay old data. */
  readonly clock: () => Date;
  /** Milliseconds since any fixed moment, for durations. */
  readonly stopwatch: () => number;
  /** An answer from data older than this is stale; left out, no age is too old. */
  readonly staleAfterMs?: number;
  readonly observe?: Observe;
}

export interface RunOptions {
  /** Aborting stops the query in the database; the run fails with `query_cancelled`. */
  readonly signal?: AbortSignal;
}

/** Runs endpoints on one database. Its promises reject with `EngineError` only. */
export interface Engine {
  /** The right definitions; the database may be unable to run some of them. */
  readonly endpoints: readonly Endpoint[];
  /** What cannot be served for now: wrong definitions, and endpoints whose SQL the database does not take. */
  broken(): readonly BrokenEndpoint[];
  /** Looks up in the database what the queries of endpoints name, so that their errors are found before anybody asks. */
  lookUp(options: LookUpOptions, endpoints?: readonly Endpoint[]): Promise<LookedUp>;
  /** The endpoint of a name; throws `endpoint_not_found`, or `endpoint_broken` for a wrong definition. */
  endpoint(name: string): Endpoint;
  /** Answers a request. */
  run(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Answer>;
  /** The database's plan for a request, which is not run. */
  explain(endpoint: Endpoint, raw: RawParameters, options?: RunOptions): Promise<Plan>;
}

/** Prepares all queries for the database. An endpoint with one that it cannot run is broken, and the others are not. */
export function createEngine(parts: EngineParts): Engine {
  return new DatabaseEngine(parts);
}

const MAX_PLAN_ROWS = 1000;
const MAX_NOTICES = 20;
const SIDE_TIMEOUT_MS = 2000;

class DatabaseEngine implements Engine {
  readonly endpoints: readonly Endpoint[];
  private readonly byName: ReadonlyMap<string, Endpoint>;
  private readonly database: Database;
  private readonly clock: () => Date;
  private readonly stopwatch: () => number;
  private readonly staleAfterMs: number | undefined;
  private readonly observe: Observe;
  private readonly prepare: (sql: string) => PreparedQuery;
  private readonly lookedUp: LookUp;
  private readonly wrong: readonly BrokenEndpoint[];
  private readonly unprepared: ReadonlyMap<Endpoint, BrokenEndpoint>;
  private readonly guard: RowsGuard;
  private readonly side: SideQueries;

  constructor(parts: EngineParts) {
    const { endpoints, broken = [], database, clock, stopwatch, staleAfterMs, observe = () => {} } = parts;
    const prepared = prepareAll(endpoints, database);
    this.endpoints = endpoints;
    this.byName = new Map(endpoints.map((endpoint) => [endpoint.definition.name, endpoint]));
    this.database = database;
    this.clock = clock;
    this.stopwatch = stopwatch;
    this.staleAfterMs = staleAfterMs;
    this.observe = observe;
    this.prepare = prepared.prepare;
    this.lookedUp = new LookUp({ database, prepare: prepared.prepare, stopwatch });
    this.wrong = broken;
    this.unprepared = prepared.broken;
    this.guard = createRowsGuard({ concurrency: shareOf(database), stopwatch, observe });
    this.side = createSideQueries((query) => this.sideRows(query), stopwatch, observe);
  }

  endpoint(name: string): Endpoint {
    const endpoint = this.byName.get(name);
    if (endpoint !== undefined) return endpoint;
    const wrong = this.wrong.find((broken) => broken.name === name);
    if (wrong !== undefined) throw endpointBroken(wrong);
    throw new EngineError('endpoint_not_found', `there is no endpoint named ${JSON.stringify(name)}`);
  }

  broken(): readonly BrokenEndpoint[] {
    const all = [...this.wrong, ...this.unprepared.values(), ...this.lookedUp.broken];
    return all.sort((one, other) => (one.file < other.file ? -1 : 1));
  }

  lookUp(options: LookUpOptions, endpoints = this.endpoints): Promise<LookedUp> {
    return this.lookedUp.look(
      endpoints.filter((endpoint) => !this.unprepared.has(endpoint)),
      options,
    );
  }

  run(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Answer> {
    return this.watch(endpoint, async () => {
      const answer = await this.answer(endpoint, raw, options);
      const { parameters, rows, truncated, ms } = answer;
      const name = endpoint.definition.name;
      this.observe({ kind: 'answered', endpoint: name, parameters, rows: rows.length, truncated, ms });
      return answer;
    });
  }

  /** The whole request: raw → parameters → compiled query → rows → answer. Only the rows have an effect. */
  private async answer(endpoint: Endpoint, raw: RawParameters, options: RunOptions): Promise<Answer> {
    const [startedAt, started] = [this.clock(), this.stopwatch()];
    const parameters = endpoint.readParameters(raw);
    const query = endpoint.query.compile(parameters, startedAt);
    const limit = endpoint.rowLimit(parameters);
    const [{ columns, rows, more }, { dataAsOf, computedAt, notices }] = await Promise.all([
      this.rows(endpoint, query, limit, options),
      this.side.freshness(endpoint, { values: parameters, now: startedAt, run: this.guardedSide(endpoint) }),
    ]);
    return {
      endpoint,
      parameters,
      sql: query.sql,
      database: this.database.name,
      columns,
      rows,
      limit,
      truncated: more,
      nextPage: more ? endpoint.nextPage(parameters) : undefined,
      startedAt,
      ms: this.stopwatch() - started,
      dataAsOf,
      computedAt,
      staleAfterMs: this.staleAfterMs,
      notices,
      emptyNotices: rows.length > 0 ? [] : await this.emptyNotices(endpoint, parameters, startedAt, options),
    };
  }

  explain(endpoint: Endpoint, raw: RawParameters, options: RunOptions = {}): Promise<Plan> {
    return this.watch(endpoint, async () => {
      const [startedAt, started] = [this.clock(), this.stopwatch()];
      const parameters = endpoint.readParameters(raw);
      const { sql, values } = endpoint.query.compile(parameters, startedAt);
      const { columns, rows } = await this.guard(endpoint.definition, options.signal, (limits) =>
        this.database.explain(this.prepare(sql), values, { maxRows: MAX_PLAN_ROWS, ...limits }),
      );
      const database = this.database.name;
      return { endpoint, parameters, sql, database, columns, rows, startedAt, ms: this.stopwatch() - started };
    });
  }

  private async rows(
    endpoint: Endpoint,
    { sql, values }: CompiledQuery,
    maxRows: number,
    options: RunOptions,
  ): Promise<ResultSet> {
    const result = await this.guard(endpoint.definition, options.signal, (limits) =>
      this.database.query(this.prepare(sql), values, { maxRows, ...limits }),
    );
    requireColumns(endpoint, result);
    return result;
  }

  private emptyNotices(
    endpoint: Endpoint,
    values: ParameterValues,
    now: Date,
    { signal }: RunOptions,
  ): Promise<readonly string[]> {
    return this.side.emptyNotices(endpoint, { values, now, run: this.guardedSide(endpoint, signal), signal });
  }

  /** Every request may run queries with parameters of its own, so the guard limits them as it limits the rows. */
  private guardedSide({ definition }: Endpoint, signal?: AbortSignal): RunSideQuery {
    return (query) => this.guard(definition, signal, (limits) => this.sideRows(query, limits));
  }

  private sideRows({ sql, values }: CompiledQuery, limits: Partial<QueryOptions> = {}): Promise<ResultSet> {
    const timeoutMs = Math.min(SIDE_TIMEOUT_MS, limits.timeoutMs ?? SIDE_TIMEOUT_MS);
    return this.database.query(this.prepare(sql), values, { ...limits, maxRows: MAX_NOTICES, timeoutMs });
  }

  /** Makes an `EngineError` of whatever fails, and tells of it. */
  private async watch<Result>(endpoint: Endpoint, work: () => Promise<Result>): Promise<Result> {
    const started = this.stopwatch();
    try {
      const broken = this.unprepared.get(endpoint) ?? this.lookedUp.of(endpoint);
      if (broken !== undefined) throw endpointBroken(broken);
      return await work();
    } catch (thrown) {
      const error = asEngineError(thrown);
      const ms = this.stopwatch() - started;
      const cause = error.details.cause ?? error;
      this.observe({ kind: 'failed', endpoint: endpoint.definition.name, code: error.code, ms, cause });
      throw error;
    }
  }
}

/** What one endpoint may have of the database: two thirds, so that a slow one leaves room for the others. */
function shareOf({ concurrency }: Database): number {
  return Math.max(1, Math.min(Math.ceil((concurrency * 2) / 3), concurrency - 1));
}

function requireColumns({ definition }: Endpoint, { columns }: ResultSet): void {
  const difference = otherColumns(
    definition,
    columns.map(({ name }) => name),
  );
  if (difference !== undefined) throw new Error(difference);
}

/** Whatever a driver throws becomes an error that callers may see; what it said is kept for the log. */
function asEngineError(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  return new EngineError('query_failed', 'the query failed; the log has the reason under the id of this request', {
    cause,
  });
}
