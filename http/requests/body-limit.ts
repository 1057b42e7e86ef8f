import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { HttpProblem } from '../problems/http-problem.js';

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

/** Whether the body has a known size within the limit, and the client sends it without waiting for `100 Continue`. */
export function isBodyBounded(request: Pick<IncomingMessage, 'headers'>, maxBytes: number): boolean {
  const { 'transfer-encoding': encoding, expect } = request.headers;
  return encoding === undefined && expect === undefined && !isBodyTooLarge(request, maxBytes);
}

/** Rejects a request that announces a body over the limit before any of it is read, for every path and method. */
export function rejectLargeBodies(limit: string): RequestHandler {
  const maxBytes = bytesOf(limit);
  return (request, _response, next) => {
    if (isBodyTooLarge(request, maxBytes)) throw bodyTooLarge(limit);
    next();
  };
}

export function bodyTooLarge(limit: string): HttpProblem {
  return new HttpProblem('body_too_large', `The body is larger than ${limit}.`);
}
