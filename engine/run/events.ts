import type { ErrorCode } from '../interface/errors.js';
import type { ParameterValues } from '../parameters/parameter-values.js';

/** What the engine tells whoever watches it; it logs nothing itself. Times are in milliseconds. */
export type EngineEvent =
  | {
      readonly kind: 'answered';
      readonly endpoint: string;
      readonly parameters: ParameterValues;
      readonly rows: number;
      readonly truncated: boolean;
      readonly ms: number;
    }
  | {
      readonly kind: 'failed';
      readonly endpoint: string;
      readonly code: ErrorCode;
      readonly ms: number;
      readonly cause: unknown;
    }
  /** `data_as_of` or a notice did not work: the answer went out without it. */
  | { readonly kind: 'metadata_query_failed'; readonly endpoint: string; readonly key: string; readonly cause: unknown }
  /** The database was away several times in a row: it is asked once a second until it answers. */
  | { readonly kind: 'breaker_opened'; readonly cause: unknown }
  /** The database answers again. */
  | { readonly kind: 'breaker_closed' };

export type Observe = (event: EngineEvent) => void;
