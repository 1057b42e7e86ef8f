import type { Canary } from '../endpoint/canary.js';
import type { ErrorCode } from '../interface/errors.js';
import type { ParameterValues } from '../parameters/parameter-values.js';

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
  /** The query `key` of `data_as_of`, `computed_at` or a notice failed. The answer was sent without its result. */
  | { readonly kind: 'metadata_query_failed'; readonly endpoint: string; readonly key: string; readonly cause: unknown }
  /** A candidate rejects parameters that the stable version accepts. The stable version answers. */
  | { readonly kind: 'candidate_rejected'; readonly canary: Canary }
  /** The database was unavailable several times in succession. The engine tries one query per second until it answers. */
  | { readonly kind: 'breaker_opened'; readonly cause: unknown }
  /** The database answers again. */
  | { readonly kind: 'breaker_closed' };

export type Observe = (event: EngineEvent) => void;
