import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../problems/http-problem.js';

/** The maximum size of a request body. The valid bodies of all operations are much smaller. */
export const BODY_LIMIT = '100kb';

/** Converts a size to bytes: `100kb` → 102400. Units are powers of 1024, with or without `i`. */
export function bytesOf(size: string): number {
  const [, number = '', prefix = ''] = /^([\d.]+)\s*([kmgt])i?b$/i.exec(size) ?? [];
  return Math.floor(Number(number) * 1024 ** (1 + 'kmgt'.indexOf(prefix.toLowerCase())));
}

const MAX_BYTES = bytesOf(BODY_LIMIT);

/** Whether the request announces (`Content-Length`) a body of more than `maxBytes`. */
function isBodyTooLarge({ headers }: Pick<IncomingMessage, 'headers'>, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes;
}

/** Whether the size of the body is known and within the limit, and the client does not wait for `100 Continue`. */
export function isBodyBounded(request: Pick<IncomingMessage, 'headers'>, maxBytes: number): boolean {
  const { 'transfer-encoding': encoding, expect } = request.headers;
  return encoding === undefined && expect === undefined && !isBodyTooLarge(request, maxBytes);
}

/** Whether a request announces a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Rejects a request that announces a body over the limit, before the body is read. */
export function rejectLargeBody(request: Pick<IncomingMessage, 'headers'>): void {
  if (isBodyTooLarge(request, MAX_BYTES)) throw bodyTooLarge(BODY_LIMIT);
}

export function bodyTooLarge(limit: string): HttpProblem {
  return new HttpProblem('body_too_large', `The body exceeds the limit of ${limit}.`);
}
