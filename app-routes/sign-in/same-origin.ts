import type { Request } from 'express';
import { HttpProblem } from '../../http/problems/http-problem.js';

/**
 * Rejects a request that changes data with a session cookie, unless a page of this service sent it. Browsers send
 * `Sec-Fetch-Site`, older ones `Origin`, and pages cannot change these headers. A request without both is rejected, so the
 * service needs no CSRF tokens. Requests with a bearer token need no check, because pages of other sites do not have the token.
 */
export function requireSameOrigin({ method, headers }: Request, origin: string): void {
  if (SAFE.includes(method)) return;
  const site = headers['sec-fetch-site'];
  const isOurs = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (isOurs) return;
  const message = `Only pages of ${origin} can send ${method} with a session; programs must send a bearer token.`;
  throw new HttpProblem('cross_site_request', message);
}

const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
