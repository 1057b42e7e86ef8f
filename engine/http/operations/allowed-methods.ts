import type { RequestHandler } from 'express';
import { HttpProblem } from '../problems/http-problem.js';

/**
 * Returns a handler that rejects every request with 405 and `Allow`. It must be the last handler of a route whose
 * previous handlers accept `methods`. If `methods` contains GET, `Allow` also contains HEAD.
 */
export function allowOnly(...methods: readonly string[]): RequestHandler {
  return allowWithoutHead(...methods, ...(methods.includes('GET') ? ['HEAD'] : []));
}

/** Like `allowOnly`, for a route whose GET does not support HEAD. */
export function allowWithoutHead(...methods: readonly string[]): RequestHandler {
  const allowed = [...methods, 'OPTIONS'];
  return ({ method, path }) => {
    throw methodNotAllowed(method, path, allowed);
  };
}

/** Whether a method only reads data: GET or HEAD. */
export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): HttpProblem {
  const list = allowed.join(', ');
  const message = `${method} is not allowed on ${path}; allowed: ${list}.`;
  return new HttpProblem('method_not_allowed', message, { headers: { Allow: list } });
}
