/** The closed list of what can go wrong in a request. Codes are permanent: clients may rely on them. */
export const ERROR_CODES = [
  'bad_parameter',
  'endpoint_not_found',
  'endpoint_broken',
  'query_timeout',
  'query_cancelled',
  'query_failed',
  'overloaded',
  'database_unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One wrong parameter: what it is called, what was expected and what came. */
export interface ParameterError {
  readonly parameter: string;
  readonly expected: string;
  readonly got: string;
  readonly message: string;
}

/** A request that cannot be answered. `message` is fit for a caller; the cause, for the log alone, is in `cause`. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: { readonly parameters?: readonly ParameterError[]; readonly cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}

export function cancelledError(): EngineError {
  return new EngineError('query_cancelled', 'The query was cancelled because its caller went away.');
}

export function timeoutError(timeoutMs: number): EngineError {
  return new EngineError('query_timeout', `The query was stopped after ${timeoutMs} ms, the time it is allowed.`);
}
