import { isUtf8 } from 'node:buffer';
import { Ajv, type ErrorObject } from 'ajv';
import express, { type Request, type Response } from 'express';
import { didYouMean } from '../../engine/index.js';
import type { JsonSchema } from '../json-schema.js';
import { HttpProblem } from '../problems/http-problem.js';
import { bodyTooLarge, bytesOf } from './body-limit.js';
import { runHandler } from './run-handler.js';

/** Reads the JSON body of a request, once it is known that the operation takes one, and checks it. */
export type BodyReader = (request: Request, response: Response) => Promise<unknown>;

/** `limit` is the most bytes, such as `100kb`. Throws `bad_body` with every fault, and what the parser throws. */
export function createBodyReader(schema: JsonSchema, limit: string): BodyReader {
  const isValid = ajv.compile(schema);
  const parse = express.json({ limit: bytesOf(limit), strict: false, verify: requireUtf8 });
  return async (request, response) => {
    requireJson(request);
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    // The parser reads a body to its end, however long it is, before it rejects it.
    await Promise.race([runHandler(parse, request, response), rejectBeyond(limit, request)]).catch((error: unknown) => {
      throw explain(error, limit);
    });
    const body: unknown = request.body;
    if (isValid(body)) return body;
    const errors = (isValid.errors ?? []).slice(0, MAX_FAULTS).map(faultOf);
    throw new HttpProblem('bad_body', errors.map(({ message }) => message).join('; '), { errors });
  };
}

const ajv = new Ajv({ allErrors: true, verbose: true });
const MAX_GOT_LENGTH = 60;
/** A body can have as many as it has keys. */
const MAX_FAULTS = 20;

function requireJson(request: Request): void {
  const type = request.headers['content-type'];
  if (request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0) {
    throw new HttpProblem('bad_body', 'A JSON body is expected, and nothing came.');
  }
  if (!request.is('application/json')) {
    const got = type === undefined ? 'no Content-Type' : JSON.stringify(type.slice(0, MAX_GOT_LENGTH));
    throw new HttpProblem('unsupported_media_type', `The body must be application/json, got ${got}.`);
  }
}

/** The parser would put U+FFFD for what is not UTF-8, without a word. */
function requireUtf8(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') throw Object.assign(new Error(), { type: 'charset.unsupported' });
  if (!isUtf8(body)) throw Object.assign(new Error(), { type: 'encoding.wrong' });
}

/** Rejects when more bytes have come than the limit allows; never resolves. */
function rejectBeyond(limit: string, request: Request): Promise<never> {
  let left = bytesOf(limit);
  return new Promise((_resolve, reject) => {
    request.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) reject(bodyTooLarge(limit));
    });
  });
}

/** Errors of the parser are told by their `type`, those of unpacking by their `code`; others have a status of their own. */
function explain(error: unknown, limit: string): unknown {
  const { type, code } = error as { readonly type?: unknown; readonly code?: unknown };
  if (String(code).startsWith('Z_')) return new HttpProblem('bad_body', 'The body is not in its Content-Encoding.');
  switch (type) {
    case 'charset.unsupported':
      return new HttpProblem('unsupported_media_type', 'The body must be encoded in UTF-8.');
    case 'encoding.wrong':
      return new HttpProblem('bad_body', 'The body is not UTF-8.');
    case 'entity.too.large':
      return bodyTooLarge(limit);
    case 'entity.parse.failed':
      return new HttpProblem('bad_body', 'The body is not JSON.');
    default:
      return error;
  }
}

/** One fault of a body: where, as a JSON pointer, what was expected and what came. */
interface BodyFault {
  readonly pointer: string;
  readonly expected: string;
  readonly got: string;
  readonly message: string;
}

function faultOf({ keyword, instancePath, params, parentSchema, message = '', data }: ErrorObject): BodyFault {
  if (keyword === 'required') return fault(`${instancePath}/${params.missingProperty}`, 'given', 'nothing');
  if (keyword === 'dependencies') {
    const { property, missingProperty } = params as { property: string; missingProperty: string };
    return fault(`${instancePath}/${missingProperty}`, `given beside ${property}`, 'nothing');
  }
  if (keyword === 'additionalProperties') {
    const { additionalProperty: key } = params as { additionalProperty: string };
    const known = Object.keys((parentSchema?.properties as object | undefined) ?? {});
    const expected = `one of ${known.join(', ')}`;
    const text = `${shown(key)} is not a key of this body${didYouMean(key, known)}: expected ${expected}`;
    return { pointer: `${instancePath}/${key}`, expected, got: shown(key), message: text };
  }
  if (keyword === 'minLength') return fault(instancePath, `at least ${params.limit} characters long`, shown(data));
  if (keyword === 'maxLength') return fault(instancePath, `at most ${params.limit} characters long`, shown(data));
  const expected =
    keyword === 'enum' ? `one of ${params.allowedValues.join(', ')}` : message.replace(/^must (be )?/, '');
  return fault(instancePath, expected, shown(data));
}

function fault(pointer: string, expected: string, got: string): BodyFault {
  const name = pointer === '' ? 'the body' : pointer.slice(1);
  return { pointer, expected, got, message: `${name} must be ${expected}, got ${got}` };
}

function shown(value: unknown): string {
  // What is deep enough cannot be written.
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_GOT_LENGTH ? `${text.slice(0, MAX_GOT_LENGTH)}…` : text;
}
