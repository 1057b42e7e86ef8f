import type { DataVersions } from '../databases/interface/data-versions.js';
import type { Database, PreparedQuery, ResultSet } from '../databases/interface/database.js';
import type { Deadline } from '../databases/interface/deadline.js';
import type { Cursors, PlacedRequest } from '../definitions/endpoint/cursors.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import { readPage, rowsToRead } from '../definitions/endpoint/next-cursor.js';
import type { CompiledQuery } from '../definitions/query/compiled-query.js';
import type { PagePosition } from '../definitions/query/page-position.js';
import type { Answer } from './answer.js';
import { requireColumns } from './cells/row-writer.js';
import { readExactly } from './exact-read.js';
import type { Observe } from './queries/events.js';
import type { QueryRunner } from './queries/query-runner.js';
import type { RequestKey } from './request-key.js';
import type { DescribedRequest, RequestMetadata } from './request-metadata.js';

/** The clock and the deadline of one request, which all its queries share. */
export interface RequestTimes {
  readonly startedAt: Date;
  /** The start of the request, as a value of the stopwatch. */
  readonly started: number;
  readonly deadline: Deadline;
  readonly requestId: string | undefined;
}

export interface AnswerParts {
  readonly database: Database;
  readonly stopwatch: () => number;
  readonly staleAfterMs: number | undefined;
  readonly versions: DataVersions | undefined;
  readonly observe: Observe;
  readonly runQuery: QueryRunner['run'];
  readonly prepare: (sql: string) => PreparedQuery;
  readonly requestKey: RequestKey;
  readonly cursors: Cursors;
}

export type AnswerReader = (endpoint: Endpoint, request: PlacedRequest, times: RequestTimes) => Promise<Answer>;

/** Creates the function that reads the rows and the metadata of a request, all from the same versions of the tables. */
export function createAnswerReader(parts: AnswerParts, metadata: RequestMetadata): AnswerReader {
  const { database, stopwatch, staleAfterMs, versions, requestKey } = parts;
  const readAll = createRequestQueries(parts, metadata);
  return async (endpoint, { parameters, after }, times) => {
    const { startedAt, started, deadline } = times;
    const query = endpoint.query.compile(parameters, startedAt, after);
    const limit = endpoint.rowLimit(parameters);
    const { result, versions: exact } = await readExactly({ versions, tables: endpoint.tables, deadline }, (before) =>
      readAll({ endpoint, parameters, query, after, limit, versions: before }, times),
    );
    const { columns, rows, more, ...metadata } = result;
    return {
      endpoint,
      parameters,
      sql: query.sql,
      database: database.name,
      columns,
      rows,
      limit,
      truncated: more,
      nextPage: more ? endpoint.nextPage(parameters) : undefined,
      ...durationSince(startedAt, started, stopwatch),
      staleAfterMs,
      ...metadata,
      versions: exact,
      key: requestKey(endpoint, parameters, startedAt).key,
    };
  };
}

export function durationSince(
  startedAt: Date,
  started: number,
  stopwatch: () => number,
): Pick<Answer, 'startedAt' | 'finishedAt' | 'ms'> {
  const ms = stopwatch() - started;
  return { startedAt, finishedAt: new Date(startedAt.getTime() + Math.round(ms)), ms };
}

/** A request with its compiled main query. */
interface CompiledRequest extends DescribedRequest {
  readonly query: CompiledQuery;
  readonly after: PagePosition | undefined;
  readonly limit: number;
}

type RequestResult = Pick<ResultSet, 'columns' | 'rows' | 'more'> &
  Pick<
    Answer,
    'nextCursor' | 'total' | 'dataAsOf' | 'computedAt' | 'notices' | 'sources' | 'emptyNotices' | 'isComplete'
  >;

/** Creates the function that runs all queries of a request. */
function createRequestQueries({ database, runQuery, prepare, cursors }: AnswerParts, metadata: RequestMetadata) {
  const readRows = async (request: CompiledRequest, { startedAt, deadline, requestId }: RequestTimes) => {
    const { endpoint, limit, parameters } = request;
    const bound = metadata.bindLookups(request, startedAt);
    const query = bound instanceof Promise ? await deadline.bound(bound) : bound;
    const maxRows = rowsToRead(endpoint, limit);
    const read = () => database.query(prepare(query.sql), query.values, { maxRows, deadline });
    const rowsOf = ({ rows }: ResultSet) => Math.min(rows.length, limit);
    const result = await runQuery(endpoint.definition, deadline, read, { parameters, requestId, rowsOf });
    requireColumns(endpoint, result);
    return readPage(endpoint, parameters, limit, result, cursors);
  };
  return async (request: CompiledRequest, times: RequestTimes): Promise<RequestResult> => {
    const [page, freshness, total] = await Promise.all([
      readRows(request, times),
      metadata.freshness(request, times.startedAt),
      metadata.total(request, times.startedAt),
    ]);
    const { notice, ...rows } = page;
    const notices = notice === undefined ? freshness.notices : [...freshness.notices, notice];
    const isComplete = total !== null && freshness.isComplete;
    const data = { ...rows, ...freshness, notices, total, isComplete };
    if (data.rows.length > 0) return { ...data, emptyNotices: [] };
    const empty = await metadata.emptyNotices(request, times);
    return { ...data, emptyNotices: empty.notices, isComplete: isComplete && empty.isComplete };
  };
}
