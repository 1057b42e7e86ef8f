import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { HttpProblem } from './http-problem.js';

/** The largest request body; the bodies of all operations are much smaller. */
export const BODY_LIMIT = '100kb';

/** `100kb` → 102400. A unit is a power of 1024, with an `i` or without. */
export function bytesOf(size: string): number {
  const [, number = '', prefix = ''] = /^([\d.]+)\s*([kmgt])i?b$/i.exec(size) ?? [];
  return Math.floor(Number(number) * 1024 ** (1 + 'kmgt'.indexOf(prefix.toLowerCase())));
}

/** Whether the request announces a body of more bytes. */
export function isBodyTooLarge({ headers }: Pick<IncomingMessage, 'headers'>, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes;
}

/** Rejects a request that announces too large a body before anything of it is read, whatever its path and method. */
export function refuseLargeBodies(limit: string): RequestHandler {
  const maxBytes = bytesOf(limit);
  return (request, _response, next) => {
    if (isBodyTooLarge(request, maxBytes)) throw bodyTooLarge(limit);
    next();
  };
}

export function bodyTooLarge(limit: string): HttpProblem {
  return new HttpProblem('body_too_large', `The body is larger than ${limit}.`);
}
