import type { RequestHandler } from 'express';
import { HttpProblem } from './http-problem.js';

/** Answers 405 with `Allow`; stands last on a route that is served with the named methods only. */
export function allowOnly(...methods: readonly string[]): RequestHandler {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return ({ method, path }) => {
    const message = `${method} is not allowed on ${path}; allowed: ${allowed}.`;
    throw new HttpProblem('method_not_allowed', message, { headers: { Allow: allowed } });
  };
}
