import type { ErrorCode } from '../../engine/index.js';

/** The closed list of problems that are not the engine's, with their statuses. Codes are permanent: clients may rely on them. */
export const PROBLEMS = {
  bad_request: 400,
  bad_body: 400,
  sign_in_failed: 400,
  credential_missing: 401,
  credential_invalid: 401,
  account_disabled: 403,
  cross_site_request: 403,
  not_trusted: 403,
  collection_not_found: 404,
  organization_not_found: 404,
  query_not_found: 404,
  repository_not_found: 404,
  route_not_found: 404,
  user_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  too_many_subscriptions: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  sql_refused: 422,
  sql_failed: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  host_unavailable: 503,
  identity_unavailable: 503,
  state_unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** What an operation that asks the database may answer, beside its own. */
export const DATABASE_ERRORS = [
  'query_failed',
  'query_timeout',
  'overloaded',
  'database_unavailable',
] as const satisfies readonly ErrorCode[];

/** What `Retry-After` of a 503 says where nothing better is known. */
export const RETRY_AFTER_SECONDS = '5';

export interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** One entry for each fault of a request, as `errors` of the answer. */
  readonly errors?: readonly unknown[];
  /** For the log alone. */
  readonly cause?: unknown;
}

/** An answer that is not a success. `message` is fit for a caller. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly details: ProblemDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }

  get status(): number {
    return PROBLEMS[this.code];
  }
}
