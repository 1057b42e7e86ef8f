import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { expectedBySchema } from '../../definitions/schema-expectation.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { JsonSchema } from '../json-schema.js';
import { HttpProblem } from '../problems/http-problem.js';
import { formatValue } from './format-value.js';

/** Creates the check of a body. The check returns a body that matches the schema; otherwise it throws `bad_body` with all mistakes. */
export function createBodyCheck(schema: JsonSchema): (body: unknown) => unknown {
  let compiled: ValidateFunction | undefined;
  return (body) => {
    // The schema is compiled at the first use, because compiling the schemas of all operations would delay the start noticeably.
    compiled ??= ajv.compile(schema);
    if (compiled(body)) return body;
    const errors = (compiled.errors ?? []).slice(0, MAX_FAULTS).map(faultOf);
    throw new HttpProblem('bad_body', errors.map(({ message }) => message).join('; '), { errors });
  };
}

/** Rules for texts that cannot be written as a pattern that the regular expressions of every language accept. */
const FORMATS = {
  'unicode-text': { expected: 'text without unpaired surrogates', validate: (text: string) => !/\p{Cs}/u.test(text) },
  'visible-text': {
    expected: 'text with a visible character and without unpaired surrogates',
    validate: (text: string) => /[^\p{Z}\p{C}]/u.test(text) && !/\p{Cs}/u.test(text),
  },
};

const formats = Object.fromEntries(Object.entries(FORMATS).map(([name, { validate }]) => [name, validate]));
const ajv = new Ajv({ allErrors: true, verbose: true, formats });
/** The maximum number of reported mistakes, because a body can have a mistake in every key. */
const MAX_FAULTS = 20;

interface BodyFault {
  /** The position of the mistake in the body, as a JSON pointer. */
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
  if (keyword === 'format') {
    const { format } = params as { format: keyof typeof FORMATS };
    return createFault(instancePath, FORMATS[format].expected, formatValue(data));
  }
  return createFault(instancePath, expectedBySchema(error, 'an object'), formatValue(data));
}

function createFault(pointer: string, expected: string, got: string): BodyFault {
  const name = pointer === '' ? 'the body' : pointer.slice(1);
  return { pointer, expected, got, message: `${name} must be ${expected}, got ${got}` };
}
