import { HostError } from './github-error.js';
import type { HostHeaders } from './token-ring.js';

export interface Failure {
  readonly error: HostError;
  readonly headers: HostHeaders;
  /** How long the platform wants to be left alone, where it said so. */
  readonly waitMs: number | undefined;
}

/** What an error of the library means. Its own text is not told: it may hold whatever a proxy answered. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof HostError) return { error, headers: {}, waitMs: undefined };
  const { status, headers, message } = answerOf(error);
  const seconds = Number(headers['retry-after']);
  const waitMs = Number.isFinite(seconds) ? Math.max(1, seconds) * 1000 : undefined;
  return { error: hostError(status, headers, message), headers, waitMs };
}

/** Whether the platform says that a thing is gone, never was, or may not be shown. */
export function isAbsent(error: unknown): boolean {
  const { status, body } = answerOf(error);
  return status === 404 || status === 410 || status === 451 || (status === 403 && body.block !== undefined);
}

export function isUnchanged(error: unknown): boolean {
  return answerOf(error).status === 304;
}

/** Errors of GraphQL beside the data that came; undefined for other errors. */
export function graphqlErrors(
  error: unknown,
): { readonly data: unknown; readonly errors: readonly GraphqlError[] } | undefined {
  const { name, data, errors } = error as { name?: unknown; data?: unknown; errors?: unknown };
  return name === 'GraphqlResponseError' && Array.isArray(errors) ? { data, errors } : undefined;
}

export interface GraphqlError {
  readonly type?: string;
  readonly path?: readonly (string | number)[];
}

interface Answer {
  /** 0 where none came. */
  readonly status: number;
  readonly headers: HostHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function answerOf(error: unknown): Answer {
  const { response, headers: ownHeaders } = error as { response?: unknown; headers?: unknown };
  const { status, headers, data } = (response ?? {}) as { status?: unknown; headers?: unknown; data?: unknown };
  const body = typeof data === 'object' && data !== null ? { ...data } : {};
  const message = 'message' in body ? String(body.message) : '';
  const told = (headers ?? ownHeaders ?? {}) as HostHeaders;
  return { status: typeof status === 'number' ? status : 0, headers: told, body, message };
}

function hostError(status: number, headers: HostHeaders, message: string): HostError {
  if (status === 401) return new HostError('unauthorized', 'The platform refuses the token of this service.');
  if (status === 429 || (status === 403 && isLimit(headers, message))) {
    return new HostError('limited', 'The platform takes no more requests for now.');
  }
  if (status >= 400 && status < 500) return new HostError('declined', `The platform declined the request (${status}).`);
  if (status === 0) return new HostError('away', 'The platform could not be reached.');
  return new HostError('away', `The platform failed to answer (${status}).`);
}

function isLimit(headers: HostHeaders, message: string): boolean {
  return (
    headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(message)
  );
}
