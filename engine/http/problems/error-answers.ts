import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { EngineError, type ErrorCode } from '../../databases/interface/errors.js';
import { DEFAULT_PREFIXES } from '../../definitions/definition-shape.js';
import { errorEnvelope } from '../envelopes/envelope.js';
import { recordOf } from '../request-record.js';
import { HttpProblem, type ProblemCode, RETRY_AFTER_SECONDS } from './http-problem.js';

/** The HTTP status of each error code of the engine. The type makes sure that every code has a status. */
export const STATUS_OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  bad_parameter: 400,
  credential_missing: 401,
  access_denied: 403,
  endpoint_not_found: 404,
  endpoint_broken: 503,
  query_timeout: 504,
  query_cancelled: 499,
  client_too_slow: 499,
  service_stopped: 503,
  query_failed: 500,
  overloaded: 503,
  database_unavailable: 503,
};

/** Returns the HTTP status of the answer to an error. */
export function statusOf(thrown: unknown): number {
  return classify(thrown).status;
}

/** Returns the parts of the answer to an error: its status, its message for callers, and its headers. */
export function describeFailure(thrown: unknown): {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const { status, error } = classify(thrown);
  return { status, message: error.message, headers: headersOf(status, error) };
}

/**
 * Records an error for the log line of its request: its code, and the cause if the service failed. For an overload,
 * which causes many 503 answers, the code is enough. The reason of a failed sign-in is also recorded, because it is
 * often a mistake in the settings of the identity provider.
 */
export function recordFailure(response: ServerResponse, thrown: unknown): void {
  const { status, error } = classify(thrown);
  const record = recordOf(response);
  record.code = error.code;
  record.errorStatus = status;
  const isFailure = status >= 500 && (status !== 503 || error.cause !== undefined);
  if (isFailure || error.code === 'sign_in_failed') record.failure = thrown;
}

interface Failure {
  readonly status: number;
  readonly error: EngineError | HttpProblem;
}

/** Creates the express error handler that answers every error. */
export function errorAnswers(clock: () => Date, prefixes: readonly string[] = DEFAULT_PREFIXES): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    if (!response.headersSent) return writeFailure(response, thrown, isPublicPath(request.path, prefixes), clock());
    recordFailure(response, thrown);
    next(thrown);
  };
}

/** Writes an error response: an envelope for paths of definitions, RFC 9457 problem details on other paths. */
export function writeFailure(response: ServerResponse, thrown: unknown, isPublic: boolean, now: Date): void {
  recordFailure(response, thrown);
  const { status, error } = classify(thrown);
  const { id } = recordOf(response);
  const [type, body] = isPublic
    ? ['application/json', JSON.stringify(errorEnvelope(reportOf(error), status, id, now))]
    : ['application/problem+json', toProblem(error, status, id)];
  const bytes = Buffer.from(body);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headersOf(status, error))) response.setHeader(name, value);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

function reportOf(error: Failure['error']) {
  return error instanceof EngineError ? error : { code: error.code, message: error.message };
}

/** Whether answers of this path use the envelope: it begins with a prefix of the paths of definitions. */
export function isPublicPath(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some(
    (prefix) => path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/'),
  );
}

function toProblem(error: Failure['error'], status: number, requestId: string) {
  const errors = error instanceof EngineError ? error.details.parameters : error.details.errors;
  return problemDetails({ code: error.code, message: error.message, errors }, status, requestId);
}

function headersOf(status: number, error: Failure['error']): Readonly<Record<string, string>> {
  return {
    ...(status === 401 && { 'WWW-Authenticate': CHALLENGE }),
    ...(status === 503 && { 'Retry-After': RETRY_AFTER_SECONDS }),
    ...(error instanceof HttpProblem && error.details.headers),
  };
}

/** The credential that a request needs (RFC 6750, section 3). */
const CHALLENGE = 'Bearer realm="repo-insight"';

function classify(thrown: unknown): Failure {
  if (thrown instanceof EngineError) return { status: STATUS_OF_ERROR[thrown.code], error: thrown };
  if (thrown instanceof HttpProblem) return { status: thrown.status, error: thrown };
  const status = statusOfExpressError(thrown);
  const error =
    status === undefined
      ? new HttpProblem('internal_error', 'The service failed to answer this request. The log contains the cause.')
      : new HttpProblem(CODE_OF_EXPRESS[status] ?? 'bad_request', (thrown as Error).message);
  return { status: error.status, error };
}

/**
 * Returns the status of an error of express or its body parsers, for example for a malformed URL; undefined for other
 * errors.
 */
function statusOfExpressError(thrown: unknown): number | undefined {
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

const CODE_OF_EXPRESS: Readonly<Record<number, ProblemCode>> = { 413: 'body_too_large', 415: 'unsupported_media_type' };

/** The parts of an error that problem details contain. */
interface ReportedProblem {
  readonly code: string;
  readonly message: string;
  /** One entry per mistake, for errors that can report several. */
  readonly errors?: readonly unknown[] | undefined;
}

/** Returns RFC 9457 problem details as JSON text. `requestId` is the id of the request in the log. */
export function problemDetails({ code, message, errors }: ReportedProblem, status: number, requestId: string): string {
  return JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Client Closed Request',
    status,
    code,
    detail: message,
    request_id: requestId,
    errors,
  });
}
