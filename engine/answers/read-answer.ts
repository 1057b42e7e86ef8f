import { hash } from 'node:crypto';
import type { DataVersions } from '../databases/interface/data-versions.js';
import type { Database, PreparedQuery, ResultSet } from '../databases/interface/database.js';
import type { Deadline } from '../databases/interface/deadline.js';
import { type Cursors, type PlacedRequest, readPage, rowsToRead } from '../definitions/endpoint/cursors.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import type { ParameterValues } from '../definitions/parameters/parameter-values.js';
import { type CompiledQuery, sqlTime } from '../definitions/query/compiled-query.js';
import type { PagePosition } from '../definitions/query/page-position.js';
import { findAgeless } from './ageless.js';
import type { Answer } from './answer.js';
import { requireColumns } from './cells/cells.js';
import { readExactly } from './exact-read.js';
import type { Observe } from './queries/events.js';
import type { QueryRunner } from './queries/query-runner.js';
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
    const { columns, rows, more, notices, ...metadata } = result;
    const { isAgeless, notices: ofAge } = findAgeless(endpoint, versions, true);
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
      isAgeless,
      staleAfterMs,
      notices: [...notices, ...ofAge],
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
    const readFreshness = () => metadata.freshness(request, times.startedAt);
    // Without versions, no check finds a change between two queries. So the times are read first, and are never newer than the rows.
    const early = request.versions === undefined ? await times.deadline.bound(readFreshness()) : undefined;
    const [page, freshness, total] = await Promise.all([
      readRows(request, times),
      early ?? readFreshness(),
      metadata.total(request, times.startedAt),
    ]);
    // Without versions, also no check finds that a materialized table was replaced before its rows were read.
    if (request.versions === undefined && request.endpoint.refreshTime !== undefined)
      await times.deadline.bound(metadata.requireCurrentRows(request, times.startedAt));
    const { notice, ...rows } = page;
    const notices = notice === undefined ? freshness.notices : [...freshness.notices, notice];
    const isComplete = total !== null && freshness.isComplete;
    const data = { ...rows, ...freshness, notices, total, isComplete };
    if (data.rows.length > 0) return { ...data, emptyNotices: [] };
    const empty = await metadata.emptyNotices(request, times);
    return { ...data, emptyNotices: empty.notices, isComplete: isComplete && empty.isComplete };
  };
}

/** The settings that affect the answers of all endpoints of an engine. */
interface EngineFacts {
  readonly database: string;
  readonly staleAfterMs: number | undefined;
  /** Whether the system clock is used. A fixed clock never advances, so keys with it do not expire. */
  readonly isSystemClock: boolean;
  /** A text that identifies the cursor secret. The cursors in an answer are valid only with the secret that encrypted them. */
  readonly cursors: string;
}

/** Returns the key of a request and the time until which it is valid, see `RequestIdentity`. */
export type RequestKey = (
  endpoint: Endpoint,
  parameters: ParameterValues,
  now: Date,
) => { readonly key: string; readonly validUntil: number };

/**
 * Creates the function that returns request keys. The definition, the parameters and the time in the unit that the
 * queries use determine the SQL texts and their values. So the key is a hash of these, and no query is compiled.
 */
export function createRequestKey({ database, staleAfterMs, isSystemClock, cursors }: EngineFacts): RequestKey {
  const facts = [database, staleAfterMs ?? null, isSystemClock];
  return (endpoint, parameters, now) => {
    const { contentHash, clock } = endpoint;
    const time = clock === undefined ? '' : sqlTime(now).slice(0, CLOCK_LENGTHS[clock]);
    const values = [...Object.keys(endpoint.parameters), ...endpoint.callerValues].map((name) => parameters[name]);
    const key = hash(
      'sha256',
      JSON.stringify([contentHash, facts, endpoint.cursors && cursors, time, values]),
      'base64url',
    );
    const isEndless = clock === undefined || !isSystemClock;
    return { key, validUntil: isEndless ? Number.POSITIVE_INFINITY : endOf(now.getTime(), CLOCK_MS[clock]) };
  };
}

/** The length of `YYYY-MM-DD HH:MM:SS` when it is truncated after a unit. */
const CLOCK_LENGTHS = { second: 19, hour: 13, day: 10 } as const;
const CLOCK_MS = { second: 1000, hour: 3_600_000, day: 86_400_000 } as const;

/** Returns the end of the second, hour or day that contains a time. In UTC, these start at multiples of their length since 1970. */
function endOf(time: number, length: number): number {
  return (Math.floor(time / length) + 1) * length;
}

/** Everything except the data that determines an answer. Requests with equal keys have equal answers for equal table versions. */
export interface RequestIdentity {
  /** The typed parameters, with defaults. */
  readonly parameters: ParameterValues;
  /** A hash of the definition, the parameters, the time rounded down to the unit that the queries use, and the settings of the engine. */
  readonly key: string;
  /**
   * The time until which the key is valid, in milliseconds since 1970: the start of the next second, hour or day in
   * UTC, by the unit of time that the queries use. Infinity if the queries do not use the clock.
   */
  readonly validUntil: number;
}
