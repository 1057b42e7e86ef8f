import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { startTime } from 'pino-http';

/** The errors of requests that could not be answered directly. */
const errors = new WeakMap<IncomingMessage, unknown>();

/** Notes that a request failed, so that the application answers it with this error. `startedAt` is in milliseconds since 1970. */
export function noteFailure(
  request: IncomingMessage,
  response: ServerResponse,
  failure: { readonly error: unknown; readonly startedAt: number },
): void {
  errors.set(request, failure.error);
  // The log line of the application states the duration of the whole request.
  response[startTime] = failure.startedAt;
}

/** Throws the error of a request that failed. Its limits are already counted. */
export const throwFailure: RequestHandler = (request, _response, next) => {
  if (errors.has(request)) throw errors.get(request);
  next();
};
