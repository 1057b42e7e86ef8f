import { createSession } from 'better-sse';
import type { Request, Response } from 'express';
import type { ServerEvent } from './operation.js';

/**
 * Sends server-sent events until the iteration ends or the client disconnects. The first event is awaited before the
 * headers are sent, so that a failure before it is an ordinary error answer. A later failure ends the stream, and the
 * client connects again.
 */
export async function sendEvents(
  request: Request,
  response: Response,
  events: AsyncIterable<ServerEvent>,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    let next = await iterator.next();
    const session = await createSession(request, response, { keepAlive: KEEP_ALIVE_MS, retry: RETRY_MS });
    while (next.done !== true && session.isConnected) {
      session.push(next.value.data, next.value.name);
      next = await iterator.next();
    }
    response.end();
  } finally {
    await iterator.return?.();
  }
}

/** Proxies close connections that are silent for longer. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 2_000;
