import { isUtf8 } from 'node:buffer';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import express, { type Request, type Response } from 'express';
import { didYouMean, expectedBySchema } from '../../engine/index.js';
import type { JsonSchema } from '../json-schema.js';
import { HttpProblem } from '../problems/http-problem.js';
import { bodyTooLarge, bytesOf } from './body-limit.js';
import { runHandler } from './run-handler.js';

/** Reads the JSON body of a request and validates it. */
export type BodyReader = (request: Request, response: Response) => Promise<unknown>;

/**
 * Creates the body reader of an operation. `limit` is the maximum size, for example `100kb`. The reader throws
 * `bad_body` with all faults, `body_too_large` or `unsupported_media_type`.
 */
export function createBodyReader(schema: JsonSchema, limit: string): BodyReader {
  let compiled: ValidateFunction | undefined;
  const parse = express.json({ limit: bytesOf(limit), strict: false, verify: requireUtf8 });
  return async (request, response) => {
    requireJson(request);
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    // The parser reads a too large body to its end before it rejects the body, so the limit is also checked here.
    await Promise.race([runHandler(parse, request, response), rejectBeyond(limit, request)]).catch((error: unknown) => {
      throw explain(error, limit);
    });
    const body: unknown = request.body;
    // Compiling the schemas of all operations would take a noticeable part of the start.
    compiled ??= ajv.compile(schema);
    const isValid = compiled;
    if (isValid(body)) return body;
    const errors = (isValid.errors ?? []).slice(0, MAX_FAULTS).map(faultOf);
    throw new HttpProblem('bad_body', errors.map(({ message }) => message).join('; '), { errors });
  };
}

const ajv = new Ajv({ allErrors: true, verbose: true });
const MAX_GOT_LENGTH = 60;
/** Maximum number of reported faults, because a body can have a fault in every key. */
const MAX_FAULTS = 20;

function requireJson(request: Request): void {
  const type = request.headers['content-type'];
  if (request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0) {
    throw new HttpProblem('bad_body', 'The request has no body; a JSON body is expected.');
  }
  if (!request.is('application/json')) {
    const got = type === undefined ? 'no Content-Type' : JSON.stringify(type.slice(0, MAX_GOT_LENGTH));
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

/** Translates errors of the parser by their `type` and errors of zlib by their `code`; returns other errors unchanged. */
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

interface BodyFault {
  /** The place of the fault in the body, as a JSON pointer. */
  readonly pointer: string;
  readonly expected: string;
  readonly got: string;
  readonly message: string;
}

function faultOf(error: ErrorObject): BodyFault {
  const { keyword, instancePath, params, parentSchema, data } = error;
  if (keyword === 'required') return createFault(`${instancePath}/${params.missingProperty}`, 'given', 'nothing');
  if (keyword === 'dependencies') {
    const { property, missingProperty } = params as { property: string; missingProperty: string };
    return createFault(`${instancePath}/${missingProperty}`, `given together with ${property}`, 'nothing');
  }
  if (keyword === 'additionalProperties') {
    const { additionalProperty: key } = params as { additionalProperty: string };
    const known = Object.keys((parentSchema?.properties as object | undefined) ?? {});
    const expected = `one of ${known.join(', ')}`;
    const got = formatValue(key);
    const message = `${got} is not a key of this body${didYouMean(key, known)}: expected ${expected}`;
    return { pointer: `${instancePath}/${key}`, expected, got, message };
  }
  return createFault(instancePath, expectedBySchema(error, 'an object'), formatValue(data));
}

function createFault(pointer: string, expected: string, got: string): BodyFault {
  const name = pointer === '' ? 'the body' : pointer.slice(1);
  return { pointer, expected, got, message: `${name} must be ${expected}, got ${got}` };
}

function formatValue(value: unknown): string {
  // JSON.stringify would exceed the call stack for a deeply nested value.
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_GOT_LENGTH ? `${text.slice(0, MAX_GOT_LENGTH)}…` : text;
}
