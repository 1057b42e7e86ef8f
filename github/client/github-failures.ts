import { GitHubError } from './github-error.js';
import type { ResponseHeaders } from './token-pool.js';

export interface ExplainedFailure {
  readonly error: GitHubError;
  readonly headers: ResponseHeaders;
  /** Milliseconds for which GitHub asks the client to pause (`Retry-After`); undefined without that header. */
  readonly waitMs: number | undefined;
}

/**
 * Maps an error of Octokit to a `GitHubError`. The text of the original error is dropped, because it may quote the body
 * of a response from a proxy.
 */
export function explainFailure(error: unknown): ExplainedFailure {
  if (error instanceof GitHubError) return { error, headers: {}, waitMs: undefined };
  const { status, headers, message } = readResponse(error);
  const seconds = Number(headers['retry-after']);
  const waitMs = Number.isFinite(seconds) ? Math.max(1, seconds) * 1000 : undefined;
  return { error: toGitHubError(status, headers, message), headers, waitMs };
}

/** Whether GitHub reports that the record was deleted, never existed or may not be shown. */
export function isAbsent(error: unknown): boolean {
  const { status, body } = readResponse(error);
  return status === 404 || status === 410 || status === 451 || (status === 403 && body.block !== undefined);
}

/** The headers with which GitHub reports that the record still has the requested etag; undefined for other errors. */
export function readUnchanged(error: unknown): ResponseHeaders | undefined {
  const { status, headers } = readResponse(error);
  return status === 304 ? headers : undefined;
}

/** The data and the errors of a GraphQL response that has both; undefined for other errors. */
export function readGraphqlErrors(
  error: unknown,
): { readonly data: unknown; readonly errors: readonly GraphqlError[] } | undefined {
  const { name, data, errors } = error as { name?: unknown; data?: unknown; errors?: unknown };
  return name === 'GraphqlResponseError' && Array.isArray(errors) ? { data, errors } : undefined;
}

export interface GraphqlError {
  readonly type?: string;
  readonly path?: readonly (string | number)[];
}

interface FailedResponse {
  /** The HTTP status; 0 if GitHub sent no response. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function readResponse(error: unknown): FailedResponse {
  const { response, headers: ownHeaders } = error as { response?: unknown; headers?: unknown };
  const { status, headers, data } = (response ?? {}) as { status?: unknown; headers?: unknown; data?: unknown };
  const body = typeof data === 'object' && data !== null ? { ...data } : {};
  const message = 'message' in body ? String(body.message) : '';
  const responseHeaders = (headers ?? ownHeaders ?? {}) as ResponseHeaders;
  return { status: typeof status === 'number' ? status : 0, headers: responseHeaders, body, message };
}

function toGitHubError(status: number, headers: ResponseHeaders, message: string): GitHubError {
  if (status === 401) return new GitHubError('unauthorized', 'GitHub rejected the token of this service.');
  if (status === 429 || (status === 403 && isRateLimit(headers, message))) {
    return new GitHubError('rate-limited', 'The rate limit of GitHub is reached.');
  }
  if (status >= 400 && status < 500) {
    return new GitHubError('declined', `GitHub rejected the request with status ${status}.`);
  }
  if (status === 0) return new GitHubError('unavailable', 'GitHub could not be reached.');
  return new GitHubError('unavailable', `GitHub failed with status ${status}.`);
}

function isRateLimit(headers: ResponseHeaders, message: string): boolean {
  return (
    headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message)
  );
}
