import type { Answer } from '../../answers/answer.js';
import { type TextRow, writeTextRows } from '../../answers/cells/cells.js';
import type { DataSource } from '../../databases/interface/data-source.js';
import type { ParameterError } from '../../databases/interface/errors.js';
import type { ColumnDefinition } from '../../definitions/definition.js';

/** The body of every answer under `/v1`; `schemas/envelope.schema.json` describes it. */
export interface Envelope {
  readonly type: 'sql_endpoint';
  readonly data: {
    readonly columns: readonly Pick<ColumnDefinition, 'col' | 'data_type' | 'nullable'>[];
    readonly rows: readonly TextRow[];
    readonly result: EnvelopeResult;
  };
}

export interface EnvelopeResult {
  /** The HTTP status. */
  readonly code: number;
  readonly message: string;
  /** The start of the request, in milliseconds since 1970. */
  readonly start_ms: number;
  readonly end_ms: number;
  /** The duration, for example `12 ms`. */
  readonly latency: string;
  readonly row_count: number;
  readonly row_affect: number;
  /** The maximum number of rows of this answer. */
  readonly limit: number;
  readonly databases: readonly string[];
  /** The time of the newest data, as ISO 8601 in UTC; null if it is unknown. */
  readonly data_as_of: string | null;
  readonly computed_at: string | null;
  /** The age of the newest data in the answer in milliseconds; null if it is unknown. */
  readonly age_ms: number | null;
  readonly stale: boolean;
  readonly truncated: boolean;
  /** Only for definitions with cursors: the cursor of the next page, or null. */
  readonly next_cursor?: string | null;
  /** Only for definitions with `pagination.total`: the number of all rows; null if it could not be counted. */
  readonly total?: number | null;
  /** Only for definitions with source notices: the sources; null if they could not be read completely. */
  readonly sources?: readonly DataSource[] | null;
  readonly notices: readonly string[];
  /** Only in errors: the permanent code. `request_id` is the id of the request in the log. */
  readonly error?: string;
  readonly request_id?: string;
  readonly errors?: readonly ParameterError[];
}

/** Writes an answer for `/v1`. `now` is the time of sending, from which the age is calculated. */
export function toEnvelope(answer: Answer, now: Date = answer.finishedAt): Envelope {
  const { endpoint, rows, startedAt, ms, emptyNotices } = answer;
  const { dataAsOf, computedAt, ageMs, stale } = ageOf(answer, now);
  return {
    type: 'sql_endpoint',
    data: {
      columns: columnsOf(endpoint.definition.columns),
      rows: writeTextRows(endpoint, rows),
      result: {
        code: 200,
        message: ['Query OK', ...emptyNotices].join('. '),
        start_ms: startedAt.getTime(),
        end_ms: answer.finishedAt.getTime(),
        latency: `${Math.round(ms)} ms`,
        row_count: rows.length,
        row_affect: 0,
        limit: answer.limit,
        databases: [answer.database],
        data_as_of: dataAsOf,
        computed_at: computedAt,
        age_ms: ageMs,
        stale,
        truncated: answer.truncated,
        ...(answer.nextCursor !== undefined && { next_cursor: answer.nextCursor }),
        ...(answer.total !== undefined && { total: answer.total }),
        ...(answer.sources !== undefined && { sources: answer.sources }),
        notices: [...answer.notices, ...emptyNotices],
      },
    },
  };
}

/** The parts of an error that an envelope contains. An `EngineError` is such an error. */
export interface EnvelopeError {
  readonly code: string;
  readonly message: string;
  readonly details?: { readonly parameters?: readonly ParameterError[] };
}

/** Returns the envelope of an error under `/v1`, without the cause of the error. `at` is the time of the request. */
export function errorEnvelope(error: EnvelopeError, status: number, requestId: string, at: Date): Envelope {
  const ms = at.getTime();
  return {
    type: 'sql_endpoint',
    data: {
      columns: [],
      rows: [],
      result: {
        code: status,
        message: error.message,
        start_ms: ms,
        end_ms: ms,
        latency: '0 ms',
        row_count: 0,
        row_affect: 0,
        limit: 0,
        databases: [],
        data_as_of: null,
        computed_at: null,
        age_ms: null,
        stale: true,
        truncated: false,
        notices: [],
        error: error.code,
        request_id: requestId,
        errors: error.details?.parameters ?? [],
      },
    },
  };
}

/** The age of an answer. Times are ISO 8601 in UTC; null means that a value is unknown. */
export interface Age {
  /** The time of the newest data in the answer. */
  readonly dataAsOf: string | null;
  /**
   * The time when the precomputed tables of the answer were computed. Without precomputed tables, the time when the
   * query ended.
   */
  readonly computedAt: string | null;
  /** The milliseconds between `dataAsOf` and the time when the answer is sent. */
  readonly ageMs: number | null;
  /** Whether `dataAsOf` or `computedAt` is older than its limit. An unknown age counts as stale, unless a notice states it (`isAgeless`). */
  readonly stale: boolean;
}

/** The members of an answer that determine its age. */
export type AgingAnswer = Pick<
  Answer,
  'dataAsOf' | 'isAgeless' | 'staleAfterMs' | 'endpoint' | 'computedAt' | 'finishedAt'
>;

/** Returns the age of an answer that is sent at `now`. */
export function ageOf({ dataAsOf, isAgeless, staleAfterMs, endpoint, ...answer }: AgingAnswer, now: Date): Age {
  const computedAt = answer.computedAt === undefined ? answer.finishedAt : answer.computedAt;
  const ageMs = msSince(dataAsOf, now);
  return {
    dataAsOf: dataAsOf === undefined ? null : isoTime(dataAsOf),
    computedAt: computedAt === null ? null : isoTime(computedAt),
    ageMs,
    stale:
      (ageMs === null ? !isAgeless : isOld(ageMs, staleAfterMs)) ||
      isOld(msSince(computedAt, now), endpoint.definition.staleAfterMs),
  };
}

/**
 * Returns the next time after `now` at which `stale` changes only because time passes, in milliseconds since 1970.
 * Infinity if it does not change.
 */
export function ageChangesAt({ dataAsOf, staleAfterMs, endpoint, ...answer }: Answer, now: Date): number {
  const computedAt = answer.computedAt === undefined ? answer.finishedAt : answer.computedAt;
  const limit = endpoint.definition.staleAfterMs;
  return Math.min(changeOfAge(dataAsOf, staleAfterMs, now), changeOfAge(computedAt, limit, now));
}

function changeOfAge(time: Date | null | undefined, staleAfterMs: number | undefined, now: Date): number {
  if (time === null || time === undefined) return Infinity;
  const knownFrom = time.getTime() - MAX_CLOCK_SKEW_MS;
  if (knownFrom > now.getTime()) return knownFrom;
  const oldFrom = time.getTime() + (staleAfterMs ?? Infinity);
  return oldFrom < now.getTime() ? Infinity : oldFrom;
}

/** Whether an age exceeds its limit. An unknown age exceeds every limit. */
function isOld(age: number | null, staleAfterMs: number | undefined): boolean {
  return staleAfterMs !== undefined && (age === null || age > staleAfterMs);
}

/**
 * Returns the milliseconds since a time. Returns null if the time is unknown, or so far in the future that the clock of
 * its source or of this machine must be wrong.
 */
function msSince(time: Date | null | undefined, now: Date): number | null {
  if (time === null || time === undefined) return null;
  const ms = now.getTime() - time.getTime();
  return ms < -MAX_CLOCK_SKEW_MS ? null : Math.max(0, ms);
}

/**
 * How far data may be in the future by the clock of this machine. An hourly archive can be complete before its hour
 * ends by this clock.
 */
const MAX_CLOCK_SKEW_MS = 3_600_000;

/** Formats a time as ISO 8601, without milliseconds if they are zero: `2024-05-01T12:00:00Z`. */
function isoTime(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}

const columnsCache = new WeakMap<readonly ColumnDefinition[], Envelope['data']['columns']>();

function columnsOf(columns: readonly ColumnDefinition[]): Envelope['data']['columns'] {
  const cached = columnsCache.get(columns);
  if (cached !== undefined) return cached;
  const written = columns.map(({ col, data_type, nullable }) => ({ col, data_type, nullable }));
  columnsCache.set(columns, written);
  return written;
}
