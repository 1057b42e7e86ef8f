import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/** The errors of requests that could not be answered directly. */
const errors = new WeakMap<IncomingMessage, unknown>();

/** Notes that a request failed, so that the application answers it with this error. */
export function noteFailure(request: IncomingMessage, error: unknown): void {
  errors.set(request, error);
}

/** Throws the error of a request that failed. Its limits are already counted. */
export const throwFailure: RequestHandler = (request, _response, next) => {
  if (errors.has(request)) throw errors.get(request);
  next();
};
