import type { RequestHandler } from 'express';
import { HttpProblem } from '../problems/http-problem.js';

/** Answers 405 with `Allow`; comes last on a route that serves the named methods only, and HEAD with GET. */
export function allowOnly(...methods: readonly string[]): RequestHandler {
  return allowNoHead(...methods, ...(methods.includes('GET') ? ['HEAD'] : []));
}

/** The same without HEAD. */
export function allowNoHead(...methods: readonly string[]): RequestHandler {
  const allowed = [...methods, 'OPTIONS'].join(', ');
  return ({ method, path }) => {
    const message = `${method} is not allowed on ${path}; allowed: ${allowed}.`;
    throw new HttpProblem('method_not_allowed', message, { headers: { Allow: allowed } });
  };
}
