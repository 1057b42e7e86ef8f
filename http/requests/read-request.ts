import type { Request, Response } from 'express';
import { EngineError, type RawParameters } from '../../engine/index.js';

/** Path and query parameters as percent-decoded text. A repeated key becomes an array. */
export function rawParameters(request: Request): RawParameters {
  return { path: request.params as Record<string, string>, query: readQuery(queryText(request)) };
}

/** The raw query string. The target of a request can be a whole URL, even with an invalid host, so `URL` cannot parse it. */
export function queryText({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

/** A signal that aborts when the client disconnects before its answer is complete, so that its query stops. */
export function abortOnClose(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function readQuery(text: string): Record<string, string | string[]> {
  // Arrays are extended in place: with copies, one long URL of equal keys would block the process for seconds.
  const query: Record<string, string | string[]> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), name);
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

/** URLSearchParams would silently replace bytes that are not UTF-8 with U+FFFD; this function throws `bad_parameter`. */
function decode(text: string, parameter = text): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const expected = 'percent-encoded UTF-8';
    const message = `${parameter}: expected ${expected}, got ${JSON.stringify(text)}`;
    throw new EngineError('bad_parameter', message, { parameters: [{ parameter, expected, got: text, message }] });
  }
}
