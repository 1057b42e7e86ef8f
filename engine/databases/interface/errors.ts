/** The closed list of request errors. Codes are permanent: clients can rely on them. */
export const ERROR_CODES = [
  'bad_parameter',
  'credential_missing',
  'access_denied',
  'endpoint_not_found',
  'endpoint_broken',
  'query_timeout',
  'query_cancelled',
  'client_too_slow',
  'service_stopped',
  'query_failed',
  'overloaded',
  'database_unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One invalid parameter: its name, the expected value and the received value. */
export interface ParameterError {
  readonly parameter: string;
  readonly expected: string;
  readonly got: string;
  readonly message: string;
}

/** A failed request. `message` is for the caller. `details.cause` is only for the log. */
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
  return new EngineError('query_cancelled', 'The query was cancelled because the client disconnected.');
}

/** The error for a request that is stopped at shutdown while its client still waits for the answer. */
export function stoppedError(): EngineError {
  return new EngineError('service_stopped', 'The service stopped before the end of the answer.');
}

export function timeoutError(timeoutMs: number): EngineError {
  return new EngineError('query_timeout', `The query was stopped at its time limit of ${timeoutMs} ms.`);
}
