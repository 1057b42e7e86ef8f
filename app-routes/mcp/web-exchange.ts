import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { EVENT_STREAM_HEADERS } from '../../engine/http/operations/send-events.js';

/** Creates the web request of a request of express, without its body. `signal` aborts if the client disconnects. */
export function toWebRequest({ method, headersDistinct }: HttpRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // The URL has no meaning for the protocol, and the one of the request can be invalid.
  return new Request('http://localhost/mcp', { method, headers, signal });
}

/** Sends a web response as the response of express. A body of events is sent as it arrives. */
export async function sendWebResponse(web: Response, response: HttpResponse): Promise<void> {
  response.status(web.status);
  for (const [name, value] of web.headers) response.setHeader(name, value);
  if (web.headers.get('Content-Type') === EVENT_STREAM_HEADERS['Content-Type']) response.set(EVENT_STREAM_HEADERS);
  if (web.body === null) {
    response.end();
    return;
  }
  // A pipeline adds seven listeners to those of the other parts of the service. Node warns about more than ten, because they may be a leak.
  response.setMaxListeners(MAX_LISTENERS);
  try {
    await pipeline(Readable.fromWeb(web.body as ReadableStream), response);
  } catch (error) {
    // The client disconnected before the end of its answer.
    if (!response.destroyed) throw error;
  }
}

const MAX_LISTENERS = 20;
