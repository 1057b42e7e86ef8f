import type { Request, Response } from 'express';
import { EngineError, type RawParameters } from '../../engine/index.js';

/** Path and query parameters as percent-decoded text. A repeated key becomes an array. */
export function rawParameters(request: Request): RawParameters {
  return { path: request.params as Record<string, string>, query: readQuery(queryText(request)) };
}

/**
 * Returns the raw query string. `URL` is not used, because the target of a request can be a whole URL with an invalid
 * host.
 */
export function queryText({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

/**
 * Returns a signal that aborts if the client disconnects before its answer is complete. The signal stops the query of
 * the request.
 */
export function abortOnClose(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function readQuery(text: string): Record<string, string | string[]> {
  // Values of an array are added in place. With copies, one long URL with many equal keys would block the process for
  // seconds.
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

/**
 * Decodes percent-encoded text. Throws `bad_parameter` for bytes that are not UTF-8, which URLSearchParams would
 * silently replace with U+FFFD.
 */
function decode(text: string, parameter = text): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const expected = 'percent-encoded UTF-8';
    const message = `${parameter}: expected ${expected}, got ${JSON.stringify(text)}`;
    throw new EngineError('bad_parameter', message, { parameters: [{ parameter, expected, got: text, message }] });
  }
}
