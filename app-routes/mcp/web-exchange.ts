import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { EVENT_STREAM_HEADERS } from '../../engine/http/operations/send-events.js';

/** Converts an express request to a web request without a body. `signal` aborts if the client disconnects. */
export function toWebRequest({ method, headersDistinct }: HttpRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // The protocol does not use the URL. The URL of the original request is not used, because it may be invalid.
  return new Request('http://localhost/mcp', { method, headers, signal });
}

/** Sends a web response through express. An event stream is sent as its events arrive. */
export async function sendWebResponse(web: Response, response: HttpResponse): Promise<void> {
  response.status(web.status);
  for (const [name, value] of web.headers) response.setHeader(name, value);
  if (web.headers.get('Content-Type') === EVENT_STREAM_HEADERS['Content-Type']) response.set(EVENT_STREAM_HEADERS);
  if (web.body === null) {
    response.end();
    return;
  }
  // A pipeline adds seven listeners to those of other parts of the service. Node warns about more than ten listeners, which may be a leak.
  response.setMaxListeners(MAX_LISTENERS);
  try {
    await pipeline(Readable.fromWeb(web.body as ReadableStream), response);
  } catch (error) {
    // If the client has disconnected before the end of the response, the error is ignored.
    if (!response.destroyed) throw error;
  }
}

const MAX_LISTENERS = 20;
