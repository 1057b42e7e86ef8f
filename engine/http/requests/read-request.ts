import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'express';
import { cancelledError, EngineError, stoppedError } from '../../databases/interface/errors.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import { HttpProblem } from '../problems/http-problem.js';

/** Path and query parameters as percent-decoded text. A repeated key becomes an array. */
export function rawParameters(request: Request): RawParameters {
  return { path: request.params as Record<string, string>, query: readQuery(request.originalUrl) };
}

/**
 * Returns the raw query string of a target. `URL` is not used, because a target can be an absolute URL with an invalid
 * host.
 */
export function queryText(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start + 1);
}

/**
 * Returns a signal that aborts if the client disconnects before its answer is complete, or if the service closes the
 * connection at shutdown. The signal stops the query of the request, and its reason is the error of the request.
 */
export function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(interruptionOf(response.req));
  if (response.destroyed) abort();
  response.once('close', () => {
    if (!response.writableFinished) abort();
  });
  return controller.signal;
}

/**
 * Returns the query parameters of a target as percent-decoded text. A repeated key becomes an array. Throws `bad_parameter`
 * for text that is not UTF-8.
 */
export function readQuery(target: string): Record<string, string | string[]> {
  // Values of an array are added in place, because with copies, one long URL with many equal keys would block the
  // process for seconds.
  const query: Record<string, string | string[]> = Object.create(null);
  for (const pair of queryText(target).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeForm(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeForm(pair.slice(equals + 1), name);
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

/**
 * Decodes percent-encoded text. Throws `bad_parameter` for bytes that are not UTF-8, which URLSearchParams would
 * silently replace with U+FFFD.
 */
export function decodeParameter(text: string, parameter: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    const expected = 'percent-encoded UTF-8';
    const message = `${parameter}: expected ${expected}, got ${JSON.stringify(text)}`;
    throw new EngineError('bad_parameter', message, { parameters: [{ parameter, expected, got: text, message }] });
  }
}

/** Like `decodeParameter`, for the query, where a plus sign is a space. */
function decodeForm(text: string, parameter = text): string {
  return decodeParameter(text.replaceAll('+', ' '), parameter);
}

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

/** Returns the normalized path of a target, without its query string, and without the origin of an absolute target. */
export function pathOf(target: string): string {
  const text = target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const end = text.search(/[?#]/);
  return normalizePath(end < 0 ? text : text.slice(0, end));
}

/**
 * Decodes the characters in the path of a target that need no percent-encoding. According to RFC 3986 (6.2.2.2), `%2E`
 * is equal to a full stop, but `%2F` is not equal to a slash.
 */
export function normalizePath(target: string): string {
  if (!target.includes('%')) return target;
  const start = target.indexOf('?');
  const path = start < 0 ? target : target.slice(0, start);
  // A malformed encoding is not decoded, because decoding a part of it could create a new encoding.
  if (MALFORMED.test(path)) return target;
  const decode = (encoded: string) => String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return path.replace(UNRESERVED, decode) + target.slice(path.length);
}

const MALFORMED = /%(?![\da-f]{2})/i;
/** The encodings of letters, digits, `-`, `.`, `_` and `~`. */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|5[\daf]|7[\dae])/gi;

/** The connections that the service closed at shutdown, because their requests did not end in time. */
const stopped = new WeakSet<Socket>();

/** Must be called before a connection is closed at shutdown. */
export function noteStop(socket: Socket): void {
  stopped.add(socket);
}

/** Returns the error for a request whose connection was closed before the end of the answer: by the client, or at shutdown. */
export function interruptionOf({ socket }: { readonly socket: Socket }): EngineError {
  return stopped.has(socket) ? stoppedError() : cancelledError();
}
