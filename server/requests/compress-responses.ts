import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import { canCompress } from '../../engine/http/cache/send-answer.js';
import { CONTENT_TYPES } from '../../engine/http/formats/format.js';

/** The package knows most media types that become smaller, but not those of all formats of rows. */
const ROW_TYPES = new Set(Object.values(CONTENT_TYPES));

/** Compresses the responses whose body does not have its encoding yet, if their media type becomes smaller. */
export const compressResponses = compression({
  filter: (request, response) =>
    canCompress(response) &&
    (ROW_TYPES.has(String(response.getHeader('Content-Type'))) || compression.filter(request, response)),
});

/** The same for a response that express does not handle. The package uses nothing of express. */
export function compressPlain(request: IncomingMessage, response: ServerResponse): void {
  compressResponses(request as Request, response as Response, () => undefined);
}
