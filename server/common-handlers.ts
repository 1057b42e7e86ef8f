import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { CACHE_HEADERS, DEFINITION_HEADERS } from '../engine/http/cache/cache-headers.js';
import { FACT_HEADERS } from '../engine/http/formats/answer-facts.js';
import { LIMIT_HEADERS } from '../engine/http/limits/request-limits.js';
import type { Settings } from './settings/settings.js';

/** The headers that only the explorer sends. */
const EXPLORER_HEADERS = [
  'Content-Disposition',
  'X-Question-Id',
  'X-Result-Truncated',
  'X-Playground-Generate-Sql-Limit',
  'X-Playground-Generate-Sql-Used',
];

/** The middleware that sets the headers of every answer, and answers CORS preflight requests. */
export function commonHandlers({ corsOrigin }: Pick<Settings, 'corsOrigin'>): RequestHandler[] {
  const exposedHeaders = [
    'Link',
    'Mcp-Session-Id',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
    ...LIMIT_HEADERS,
    ...CACHE_HEADERS,
    ...DEFINITION_HEADERS,
    ...EXPLORER_HEADERS,
    ...FACT_HEADERS,
  ];
  return [helmet(), cors({ origin: corsOrigin, exposedHeaders })];
}

/**
 * Returns the headers that `commonHandlers` sets; names and values alternate. The headers do not depend on the request, because the service
 * allows one origin or all, and never repeats the origin of a request.
 */
export function recordCommonHeaders(settings: Pick<Settings, 'corsOrigin'>): readonly string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  for (const handle of commonHandlers(settings)) handle(request as Request, response as Response, () => {});
  return (response as NamedHeaders).getRawHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}

/** Node has this method since version 15, but its types do not. */
type NamedHeaders = ServerResponse & { getRawHeaderNames(): string[] };
