import { Ajv, type ErrorObject } from 'ajv';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { didYouMean } from '../engine/definition/nearest.js';
import { HttpProblem } from './http-problem.js';
import type { JsonSchema } from './operation.js';

/** Reads the JSON body of a request, once it is known that the operation takes one, and checks it. */
export type BodyReader = (request: Request, response: Response) => Promise<unknown>;

/** `limit` is the most bytes, such as `100kb`. Throws `bad_body` with every fault, and what the parser throws. */
export function createBodyReader(schema: JsonSchema, limit: string): BodyReader {
  const isValid = ajv.compile(schema);
  const parse = express.json({ limit, strict: false });
  return async (request, response) => {
    requireJson(request);
    await run(parse, request, response);
    const body: unknown = request.body;
    if (isValid(body)) return body;
    const errors = (isValid.errors ?? []).map(faultOf);
    throw new HttpProblem('bad_body', errors.map(({ message }) => message).join('; '), { errors });
  };
}

const ajv = new Ajv({ allErrors: true, verbose: true });
const MAX_GOT_LENGTH = 60;

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

function run(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
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
  const expected =
    keyword === 'enum' ? `one of ${params.allowedValues.join(', ')}` : message.replace(/^must (be )?/, '');
  return fault(instancePath, expected, shown(data));
}

function fault(pointer: string, expected: string, got: string): BodyFault {
  const name = pointer === '' ? 'the body' : pointer.slice(1);
  return { pointer, expected, got, message: `${name} must be ${expected}, got ${got}` };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_GOT_LENGTH ? `${text.slice(0, MAX_GOT_LENGTH)}…` : text;
}
