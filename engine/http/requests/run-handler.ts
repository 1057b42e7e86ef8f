import type { Request, RequestHandler, Response } from 'express';

/**
 * Runs an express handler. Resolves when the handler calls `next()` without an argument; rejects with the error that
 * the handler passes to `next`.
 */
export function runHandler(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    handler(request, response, toCallback(resolve, reject));
  });
}

/** Converts the functions of a promise to a callback with an optional error, as express middleware expects it. */
export function toCallback(resolve: () => void, reject: (error: unknown) => void): (error?: unknown) => void {
  return (error) => (error === undefined || error === null ? resolve() : reject(error));
}
