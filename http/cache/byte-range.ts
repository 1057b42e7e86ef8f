import type { IncomingHttpHeaders } from 'node:http';
import { HttpProblem } from '../problems/http-problem.js';

/** A part of a body: the first byte, and the byte after the last one. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part of a body that a GET request asks for (RFC 9110, section 14); undefined for the whole body. Lists of ranges
 * and invalid ranges have no effect. `If-Range` with another version of the body asks for the whole body; a date never matches.
 * Throws `range_not_satisfiable`.
 */
export function findRange(sent: IncomingHttpHeaders, etag: string, length: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(sent.range ?? '') ?? [];
  const condition = sent['if-range'];
  if ((first === '' && last === '') || (condition !== undefined && condition !== etag)) return undefined;
  const isSuffix = first === '';
  if (!isSuffix && last !== '' && Number(last) < Number(first)) return undefined;
  const start = isSuffix ? Math.max(0, length - Number(last)) : Number(first);
  const end = isSuffix || last === '' ? length : Math.min(length, Number(last) + 1);
  if (start < end) return { start, end };
  const message = `The answer has ${length} bytes, and the range ${first}-${last} contains none of them.`;
  throw new HttpProblem('range_not_satisfiable', message, { headers: { 'Content-Range': `bytes */${length}` } });
}

/** The value of `Content-Range`. */
export function contentRange({ start, end }: ByteRange, length: number): string {
  return `bytes ${start}-${end - 1}/${length}`;
}
