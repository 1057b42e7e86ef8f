import type { Request } from 'express';
import { HttpProblem } from '../../http/problems/http-problem.js';

/**
 * Refuses a request that changes something by a cookie unless a page of this service's own origin sent it. Browsers tell
 * that by `Sec-Fetch-Site`, older ones by `Origin`, and let no page change either; what tells neither is refused, so that
 * no token in forms or headers of our own is needed. Requests with a bearer token need no such check: a page of another
 * site knows none.
 */
export function requireSameOrigin({ method, headers }: Request, origin: string): void {
  if (SAFE.includes(method)) return;
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (isOurs) return;
  const message = `A session may be used for ${method} by pages of ${origin} only; programs send a bearer token.`;
  throw new HttpProblem('cross_site_request', message);
}

const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
