import type { Database, PreparedQuery } from '../databases/interface/database.js';
import { type Deadline, type QueryLimits, withDeadline } from '../databases/interface/deadline.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../definitions/parameters/parameter-values.js';
import type { CompiledQuery } from '../definitions/query/compiled-query.js';
import type { PagePosition } from '../definitions/query/page-position.js';
import type { TableVersions } from './exact-read.js';
import { type Freshness, MAX_NOTICE_ROWS, MetadataQueries, type RunMetadataQuery } from './metadata-queries.js';
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
}

const METADATA_TIMEOUT_MS = 2000;

export function createRequestMetadata({
  database,
  stopwatch,
  observe,
  runQuery,
  prepare,
}: MetadataParts): RequestMetadata {
  const run = ({ sql, values }: CompiledQuery, limits: QueryLimits) =>
    database.query(prepare(sql), values, { ...limits, maxRows: MAX_NOTICE_ROWS });
  const runShared: RunMetadataQuery = (query) => run(query, { timeoutMs: METADATA_TIMEOUT_MS });
  const queries = new MetadataQueries(runShared, stopwatch, observe);
  /** Few requests share a metadata query with parameters, so such a query uses the concurrency limit of the main query. */
  const runnerOf = ({ definition }: Endpoint, request?: Deadline): RunMetadataQuery => {
    const remainingMs = request?.remainingMs ?? definition.limits.timeoutMs;
    const timeoutMs = Math.min(METADATA_TIMEOUT_MS, Math.ceil(remainingMs));
    return (query) =>
      withDeadline({ timeoutMs, signal: request?.signal }, (deadline) =>
        runQuery(definition, deadline, () => run(query, { deadline })),
      );
  };
  return {
    freshness: ({ endpoint, parameters: values, versions }, now) =>
      queries.freshness(endpoint, { values, now, versions, run: runnerOf(endpoint) }),
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
