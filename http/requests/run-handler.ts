import type { Request, RequestHandler, Response } from 'express';

/** Runs a handler of express; resolves when it hands the request on, rejects with its error. */
export function runHandler(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    handler(request, response, settled(resolve, reject));
  });
}

/** A callback that ends a promise, as the libraries of express call it. */
export function settled(resolve: () => void, reject: (error: unknown) => void): (error?: unknown) => void {
  return (error) => (error === undefined || error === null ? resolve() : reject(error));
}
