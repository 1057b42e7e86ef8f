import type { Request, Response } from 'express';
import { recordFailure } from '../problems/error-answers.js';
import type { ServerEvent } from './operation.js';

/**
 * Sends server-sent events until the iteration ends or the client disconnects. The headers are sent after the first
 * event is available, so that an earlier failure is an ordinary error response. A later failure ends the stream, and
 * the client connects again.
 */
export async function sendEvents(
  request: Request,
  response: Response,
  events: AsyncIterable<ServerEvent>,
  keepAliveMs = KEEP_ALIVE_MS,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  try {
    let next = await iterator.next();
    response.set(EVENT_STREAM_HEADERS);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(`retry: ${RETRY_MS}\n\n`);
    timer = setInterval(() => response.write(':\n\n'), keepAliveMs);
    while (next.done !== true && !response.destroyed) {
      response.write(formatEvent(next.value));
      next = await iterator.next();
    }
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    recordFailure(response, error);
    response.end();
  } finally {
    clearInterval(timer);
    await iterator.return?.();
  }
}

/** The interval of keep-alive comments. Proxies close connections that are silent for longer. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 2_000;

/** The headers of a stream of events. */
export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  // Otherwise the compression middleware and proxies would delay events until their buffers are full.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Formats an event. The data are one line, because JSON contains no line breaks. */
function formatEvent({ name, data }: ServerEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
