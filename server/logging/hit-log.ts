import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { maskUrl } from './request-log.js';

/** What the log says about a request. */
export interface LoggedRequest {
  readonly id: string;
  /** The address of the client if a trusted proxy reports it, otherwise the address of the peer. */
  readonly remoteAddress: string | undefined;
}

/** Writes the line of a request when its response is closed. */
export type LogHit = (request: IncomingMessage, response: ServerResponse, facts: LoggedRequest) => void;

/**
 * Creates the log of requests that are answered from the cache. Its lines are equal to the lines of the log of other
 * requests, but cheaper, because there is no logger per request.
 */
export function createHitLog(logger: Logger): LogHit {
  return (request, response, { id, remoteAddress }) => {
    if (!logger.isLevelEnabled('info')) return;
    const startedAt = Date.now();
    const { method, url = '' } = request;
    response.on('close', () => {
      const isComplete = !request.readableAborted && response.writableEnded;
      const req = { id, method, url: maskedUrl(url), remoteAddress };
      const res = { statusCode: response.statusCode };
      const responseTime = Date.now() - startedAt;
      logger.info({ req, res, responseTime }, isComplete ? 'request completed' : 'request aborted');
    });
  };
}

/** The masked forms of recent targets. Masking is slow, and the targets of hits repeat. */
const maskedUrls = new Map<string, string>();
const MAX_URLS = 1_000;
const MAX_LENGTH = 1_000;

function maskedUrl(url: string): string {
  const known = maskedUrls.get(url);
  if (known !== undefined) return known;
  const masked = maskUrl(url);
  if (url.length > MAX_LENGTH) return masked;
  if (maskedUrls.size >= MAX_URLS) maskedUrls.clear();
  maskedUrls.set(url, masked);
  return masked;
}
