import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import { maskTarget } from './mask-secrets.js';

/** Matches the URL to which the identity provider returns a browser. Its query contains a secret code. */
const SIGN_IN_CODE = /(\/sign-in\/callback\/?\?).*/;
const REQUEST_ID = /^[\w.:-]{1,64}$/;

/**
 * Writes one log line per request. The id of a request comes from the header `X-Request-Id`, or is new if there is no
 * such header; the answer has the same header.
 */
export function requestLog(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: (request: IncomingMessage, response: ServerResponse) => {
      const id = requestIdOf(request);
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (_request, response, error) => {
      if (error !== undefined || response.statusCode >= 500) return 'error';
      return response.statusCode >= 400 ? 'warn' : 'info';
    },
    // Headers can contain credentials, so the log omits them.
    serializers: {
      req: (request: SerializedRequest) => ({
        id: request.id,
        method: request.method,
        url: maskUrl(request.url),
        // The address of the client if a trusted proxy reports it, otherwise the address of the peer.
        remoteAddress: request.raw.ip,
      }),
      res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
    },
  });
}

/** Returns the id that the client sent, or a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Masks secrets in the target of a request for the log. */
export function maskUrl(url: string): string {
  return maskTarget(url.replace(SIGN_IN_CODE, '$1…'));
}

interface SerializedRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly raw: Request;
}
