import { requireColumns } from '../cells/row-writer.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { DataVersions } from '../interface/data-versions.js';
import type { Database, PreparedQuery, ResultSet } from '../interface/database.js';
import type { Deadline } from '../interface/deadline.js';
import type { ParameterValues } from '../parameters/parameter-values.js';
import type { CompiledQuery } from '../query/compiled-query.js';
import type { Answer } from './answer.js';
import type { Observe } from './events.js';
import { readExactly } from './exact-read.js';
import type { QueryRunner } from './query-runner.js';
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
}

export type AnswerReader = (endpoint: Endpoint, parameters: ParameterValues, times: RequestTimes) => Promise<Answer>;

/** Creates the function that reads the rows and the metadata of a request, all from the same versions of the tables. */
export function createAnswerReader(parts: AnswerParts, metadata: RequestMetadata): AnswerReader {
  const { database, stopwatch, staleAfterMs, versions, requestKey } = parts;
  const readAll = createRequestQueries(parts, metadata);
  return async (endpoint, parameters, times) => {
    const { startedAt, started, deadline } = times;
    const query = endpoint.query.compile(parameters, startedAt);
    const limit = endpoint.rowLimit(parameters);
    const { result, versions: exact } = await readExactly({ versions, tables: endpoint.tables, deadline }, (before) =>
      readAll({ endpoint, parameters, query, limit, versions: before }, times),
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

/** A request that is ready to run. */
interface CompiledRequest extends DescribedRequest {
  readonly query: CompiledQuery;
  readonly limit: number;
}

type RequestResult = Pick<ResultSet, 'columns' | 'rows' | 'more'> &
  Pick<Answer, 'dataAsOf' | 'computedAt' | 'notices' | 'emptyNotices' | 'isComplete'>;

/** Creates the function that runs all queries of a request. */
function createRequestQueries({ database, runQuery, prepare }: AnswerParts, metadata: RequestMetadata) {
  const readRows = async (request: CompiledRequest, { deadline, requestId }: RequestTimes) => {
    const { endpoint, query, limit: maxRows, parameters } = request;
    const read = () => database.query(prepare(query.sql), query.values, { maxRows, deadline });
    const rowsOf = ({ rows }: ResultSet) => rows.length;
    const result = await runQuery(endpoint.definition, deadline, read, { parameters, requestId, rowsOf });
    requireColumns(endpoint, result);
    return result;
  };
  return async (request: CompiledRequest, times: RequestTimes): Promise<RequestResult> => {
    const [{ columns, rows, more }, freshness] = await Promise.all([
      readRows(request, times),
      metadata.freshness(request, times.startedAt),
    ]);
    const data = { columns, rows, more };
    if (rows.length > 0) return { ...data, ...freshness, emptyNotices: [] };
    const empty = await metadata.emptyNotices(request, times);
    const isComplete = freshness.isComplete && empty.isComplete;
    return { ...data, ...freshness, emptyNotices: empty.notices, isComplete };
  };
}
