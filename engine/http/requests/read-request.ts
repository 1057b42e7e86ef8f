import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { EngineError } from '../../databases/interface/errors.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import { interruptionOf } from './interruption.js';

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
