import type { ErrorCode } from '../../databases/interface/errors.js';

/** The closed list of error codes outside the engine, with their statuses. Codes are permanent: clients can rely on them. */
export const PROBLEMS = {
  bad_request: 400,
  bad_body: 400,
  question_too_long: 400,
  sign_in_failed: 400,
  credential_missing: 401,
  credential_invalid: 401,
  account_disabled: 403,
  cross_site_request: 403,
  not_trusted: 403,
  collection_not_found: 404,
  key_not_found: 404,
  organization_not_found: 404,
  page_not_found: 404,
  query_not_found: 404,
  question_not_found: 404,
  repository_not_found: 404,
  route_not_found: 404,
  session_not_found: 404,
  table_not_found: 404,
  tag_not_found: 404,
  unsubscribe_link_invalid: 404,
  user_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  question_cancelled: 409,
  question_not_answered: 409,
  refresh_running: 409,
  too_many_keys: 409,
  too_many_subscriptions: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  question_not_answerable: 422,
  sql_refused: 422,
  sql_failed: 422,
  answer_failed: 422,
  quota_exceeded: 429,
  rate_limited: 429,
  too_many_questions: 429,
  headers_too_large: 431,
  internal_error: 500,
  host_unavailable: 503,
  identity_unavailable: 503,
  model_unavailable: 503,
  page_broken: 503,
  state_unavailable: 503,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** Error codes of every operation that queries the database. */
export const DATABASE_ERRORS = [
  'query_failed',
  'query_timeout',
  'overloaded',
  'database_unavailable',
] as const satisfies readonly ErrorCode[];

/** The value of `Retry-After` for a 503 if the recovery time is unknown. */
export const RETRY_AFTER_SECONDS = '5';

export interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** One entry per mistake in the request. The answer contains these entries as `errors`. */
  readonly errors?: readonly unknown[];
  /** The cause, which only the log contains. */
  readonly cause?: unknown;
}

/** An error with an HTTP answer. Callers see `message`. */
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
