import type { ErrorCode } from '../../databases/interface/errors.js';
import type { Canary } from '../../definitions/endpoint/canary.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';

/** An event that the engine reports to its observer. The engine itself does not log. Times are in milliseconds. */
export type EngineEvent =
  | {
      readonly kind: 'answered';
      readonly endpoint: string;
      readonly parameters: ParameterValues;
      readonly rows: number;
      readonly truncated: boolean;
      readonly ms: number;
      /** True if a stored answer was sent, so that no query ran. If it is true, `rows` and `ms` are 0. */
      readonly isStored: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly endpoint: string;
      readonly code: ErrorCode;
      readonly ms: number;
      readonly cause: unknown;
    }
  /** A query of a definition ended or failed. The query read the rows of an answer, metadata or allowed values. */
  | EndedQuery
  /** The query `key` of `data_as_of`, `computed_at` or a notice failed. The answer was sent without its result. */
  | { readonly kind: 'metadata_query_failed'; readonly endpoint: string; readonly key: string; readonly cause: unknown }
  /** A canary candidate rejects parameters that the stable version accepts. The stable version answers. */
  | { readonly kind: 'candidate_rejected'; readonly canary: Canary }
  /** The query of a canary candidate failed. The stable version answers. */
  | { readonly kind: 'candidate_failed'; readonly canary: Canary; readonly cause: unknown }
  /** The database was unavailable for several queries in succession. The engine tries one query per second until the database answers. */
  | { readonly kind: 'breaker_opened'; readonly cause: unknown }
  /** The database answers again. */
  | { readonly kind: 'breaker_closed' };

export interface EndedQuery {
  readonly kind: 'queried';
  readonly endpoint: string;
  /** The id of the request for which the query ran; undefined if the query ran for no request. */
  readonly requestId: string | undefined;
  /** The parameters of the request; undefined for queries of metadata and of allowed values. */
  readonly parameters: ParameterValues | undefined;
  readonly rows: number;
  /** How long the query waited because of the concurrency limit of its endpoint. */
  readonly waitMs: number;
  /** The duration of the query in the database. 0 if the query did not start. */
  readonly ms: number;
  /** The error code; undefined if the query succeeded. */
  readonly code: ErrorCode | undefined;
}

/** The queries of an engine at one moment. */
export interface QueryLoad {
  /** The number of queries that wait because of the concurrency limit of their endpoint. */
  readonly waiting: number;
  readonly running: number;
}

export type Observe = (event: EngineEvent) => void;
