import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response } from 'express';
import type { JsonSchema } from '../json-schema.js';
import { HttpProblem } from '../problems/http-problem.js';
import { createBodyCheck } from './body-check.js';
import { MAX_VALUE_LENGTH } from './format-value.js';
import { bodyTooLarge, bytesOf } from './read-request.js';
import { runHandler } from './run-handler.js';

/** Reads the JSON body of a request and validates it. */
export type BodyReader = (request: Request, response: Response) => Promise<unknown>;

/**
 * Creates the body reader of an operation. `limit` is the maximum size, for example `100kb`. The reader throws
 * `bad_body` with all mistakes, `body_too_large` or `unsupported_media_type`.
 */
export function createBodyReader(schema: JsonSchema, limit: string): BodyReader {
  const check = createBodyCheck(schema);
  const parse = express.json({ limit: bytesOf(limit), strict: false, verify: requireUtf8 });
  return async (request, response) => {
    requireJson(request);
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    // The parser would read a body that is too large to its end before it rejects it, so the limit is also checked here.
    await Promise.race([runHandler(parse, request, response), rejectBeyond(limit, request)]).catch((error: unknown) => {
      throw explain(error, limit);
    });
    return check(request.body);
  };
}

function requireJson(request: Request): void {
  const type = request.headers['content-type'];
  if (request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0) {
    throw new HttpProblem('bad_body', 'The request has no body; a JSON body is expected.');
  }
  if (!request.is('application/json')) {
    const got = type === undefined ? 'no Content-Type' : JSON.stringify(type.slice(0, MAX_VALUE_LENGTH));
    throw new HttpProblem('unsupported_media_type', `The body must be application/json, got ${got}.`);
  }
}

/** Rejects bytes that are not UTF-8. The parser would silently replace them with U+FFFD. */
function requireUtf8(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') throw Object.assign(new Error(), { type: 'charset.unsupported' });
  if (!isUtf8(body)) throw Object.assign(new Error(), { type: 'encoding.wrong' });
}

/** Rejects when the received bytes exceed the limit; otherwise the promise stays pending. */
function rejectBeyond(limit: string, request: Request): Promise<never> {
  let left = bytesOf(limit);
  return new Promise((_resolve, reject) => {
    request.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) reject(bodyTooLarge(limit));
    });
  });
}

/** Converts errors of the parser by their `type` and errors of zlib by their `code`. Returns other errors unchanged. */
function explain(error: unknown, limit: string): unknown {
  const { type, code } = error as { readonly type?: unknown; readonly code?: unknown };
  if (String(code).startsWith('Z_')) {
    return new HttpProblem('bad_body', 'The body cannot be decoded by its Content-Encoding.');
  }
  switch (type) {
    case 'charset.unsupported':
      return new HttpProblem('unsupported_media_type', 'The body must be encoded in UTF-8.');
    case 'encoding.wrong':
      return new HttpProblem('bad_body', 'The body is not valid UTF-8.');
    case 'entity.too.large':
      return bodyTooLarge(limit);
    case 'entity.parse.failed':
      return new HttpProblem('bad_body', 'The body is not valid JSON.');
    default:
      return error;
  }
}
