import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import { maskTarget } from './mask-secrets.js';

/** What the provider sends a browser back with is for the service alone. */
const SIGN_IN_CODE = /(\/sign-in\/callback\/?\?).*/;
const REQUEST_ID = /^[\w.:-]{1,64}$/;

/** One log line a request, under an id that the caller may bring in `X-Request-Id` and always gets back there. */
export function requestLog(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: (request: IncomingMessage, response: ServerResponse) => {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (_request, response, error) => {
      if (error !== undefined || response.statusCode >= 500) return 'error';
      return response.statusCode >= 400 ? 'warn' : 'info';
    },
    // Headers may carry credentials; the log tells what was asked and how it went.
    serializers: {
      req: (request: SerializedRequest) => ({
        id: request.id,
        method: request.method,
        url: maskTarget(request.url.replace(SIGN_IN_CODE, '$1…')),
        // The client's, where a trusted proxy tells it.
        remoteAddress: request.raw.ip,
      }),
      res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
    },
  });
}

interface SerializedRequest {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly raw: Request;
}
