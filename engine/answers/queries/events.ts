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
      /** True if a stored answer was sent, so that no query ran. Then `rows` and `ms` are 0. */
      readonly isStored: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly endpoint: string;
      readonly code: ErrorCode;
      readonly ms: number;
      readonly cause: unknown;
    }
  /** A query of a definition ended: its rows, its metadata or its allowed values were read, or it failed. */
  | EndedQuery
  /** The query `key` of `data_as_of`, `computed_at` or a notice failed. The answer was sent without its result. */
  | { readonly kind: 'metadata_query_failed'; readonly endpoint: string; readonly key: string; readonly cause: unknown }
  /** A candidate rejects parameters that the stable version accepts. The stable version answers. */
  | { readonly kind: 'candidate_rejected'; readonly canary: Canary }
  /** The query of a candidate failed. The stable version answers. */
  | { readonly kind: 'candidate_failed'; readonly canary: Canary; readonly cause: unknown }
  /** The database was unavailable several times in succession. The engine tries one query per second until it answers. */
  | { readonly kind: 'breaker_opened'; readonly cause: unknown }
  /** The database answers again. */
  | { readonly kind: 'breaker_closed' };

export interface EndedQuery {
  readonly kind: 'queried';
  readonly endpoint: string;
  /** The id of the request for which the query ran; undefined if the query ran for no request. */
  readonly requestId: string | undefined;
  /** Undefined for queries of metadata and of allowed values. */
  readonly parameters: ParameterValues | undefined;
  readonly rows: number;
  /** How long the query waited for a place among the queries of its endpoint. */
  readonly waitMs: number;
  /** How long the database worked. 0 if the query did not start. */
  readonly ms: number;
  /** Undefined if the query succeeded. */
  readonly code: ErrorCode | undefined;
}

/** The queries of an engine at one moment. */
export interface QueryLoad {
  /** Queries that wait for a place among the queries of their endpoint. */
  readonly waiting: number;
  readonly running: number;
}

export type Observe = (event: EngineEvent) => void;
