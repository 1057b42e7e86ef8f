import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import { canCompress } from '../../engine/http/cache/send-answer.js';
import { CONTENT_TYPES } from '../../engine/http/formats/format.js';

/** The media types of rows. The package does not know that some of these can be compressed. */
const ROW_TYPES = new Set(Object.values(CONTENT_TYPES));

/** Compresses a response if its media type is compressible and its body is not encoded yet. */
export const compressResponses = compression({
  filter: (request, response) =>
    canCompress(response) &&
    (ROW_TYPES.has(String(response.getHeader('Content-Type'))) || compression.filter(request, response)),
});

/** Like `compressResponses`, for a response that express does not handle. The package uses no function of express. */
export function compressPlain(request: IncomingMessage, response: ServerResponse): void {
  compressResponses(request as Request, response as Response, () => undefined);
}
