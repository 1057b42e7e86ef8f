import {
  type Answer,
  type ColumnDefinition,
  type ParameterError,
  type TextRow,
  writeTextRows,
} from '../../engine/index.js';

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
  /** Milliseconds since 1970. */
  readonly start_ms: number;
  readonly end_ms: number;
  /** Such as `12 ms`. */
  readonly latency: string;
  readonly row_count: number;
  readonly row_affect: number;
  /** The most rows that this answer could have. */
  readonly limit: number;
  readonly databases: readonly string[];
  /** ISO 8601, UTC; null when not known. */
  readonly data_as_of: string | null;
  readonly computed_at: string | null;
  /** How old the newest fact behind the answer was; null when not known, which counts as stale. */
  readonly age_ms: number | null;
  readonly stale: boolean;
  readonly truncated: boolean;
  readonly notices: readonly string[];
  /** In errors only: the permanent code, the id under which the log has the request, an entry for each bad parameter. */
  readonly error?: string;
  readonly request_id?: string;
  readonly errors?: readonly ParameterError[];
}

/** Writes an answer for `/v1`. `now` is the time of sending, by which the age is told. */
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
        notices: [...answer.notices, ...emptyNotices],
      },
    },
  };
}

/** What an error has to tell callers; `EngineError` does, and so may a server's own errors. */
export interface TellableError {
  readonly code: string;
  readonly message: string;
  readonly details?: { readonly parameters?: readonly ParameterError[] };
}

/** Writes an error for `/v1` in the same envelope. Causes stay out. `at` is the time of the request. */
export function errorEnvelope(error: TellableError, status: number, requestId: string, at: Date): Envelope {
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

/** How old an answer is. Times are ISO 8601, UTC. */
export interface Age {
  /** The time of the newest fact behind the answer; null when it is not known. */
  readonly dataAsOf: string | null;
  /** When what it was read from had been computed; null when that is not known. */
  readonly computedAt: string | null;
  /** Milliseconds since `dataAsOf`; null when it is not known. */
  readonly ageMs: number | null;
  /** Older than it may be, by either time. An age that is not known counts as stale. */
  readonly stale: boolean;
}

/** `now` is the time of sending, by which the age is told. */
export function ageOf({ dataAsOf, staleAfterMs, endpoint, ...answer }: Answer, now: Date): Age {
  const computedAt = answer.computedAt === undefined ? answer.finishedAt : answer.computedAt;
  const ageMs = msSince(dataAsOf, now);
  return {
    dataAsOf: dataAsOf === undefined ? null : isoTime(dataAsOf),
    computedAt: computedAt === null ? null : isoTime(computedAt),
    ageMs,
    stale:
      ageMs === null || isOld(ageMs, staleAfterMs) || isOld(msSince(computedAt, now), endpoint.definition.staleAfterMs),
  };
}

/** An age that is not known counts as a great one. */
function isOld(age: number | null, staleAfterMs: number | undefined): boolean {
  return staleAfterMs !== undefined && (age === null || age > staleAfterMs);
}

/** Null where the time is not known, or so far ahead that the clock must be wrong, and tells no age. */
function msSince(time: Date | null | undefined, now: Date): number | null {
  if (time === null || time === undefined) return null;
  const ms = now.getTime() - time.getTime();
  return ms < -CLOCKS_APART_MS ? null : Math.max(0, ms);
}

/** Whole hours of data may be there before the clock says that they are over. */
const CLOCKS_APART_MS = 3_600_000;

/** Whole seconds lose nothing that the data know: `2024-05-01T12:00:00Z`, or with milliseconds where there are some. */
function isoTime(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}

const writtenColumns = new WeakMap<readonly ColumnDefinition[], Envelope['data']['columns']>();

function columnsOf(columns: readonly ColumnDefinition[]): Envelope['data']['columns'] {
  const known = writtenColumns.get(columns);
  if (known !== undefined) return known;
  const written = columns.map(({ col, data_type, nullable }) => ({ col, data_type, nullable }));
  writtenColumns.set(columns, written);
  return written;
}
