import { didYouMean } from '../../sql/did-you-mean.js';
import type { ItemDefinition, ParameterDefinition, ParameterValue } from '../definition/definition.js';
import { EngineError, type ParameterError } from '../interface/errors.js';
import { expectedOf, validatorOf } from './parameter-schema.js';

/**
 * Parameters as a request brings them, percent-decoded. A path parameter that the path does not carry may come in the
 * query: that is how an endpoint is called by its name.
 */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
}

/** The value of every declared parameter; null for one that is optional, has no default and was not given. */
export type ParameterValues = Readonly<Record<string, ParameterValue | null>>;

export type ParameterReader = (raw: RawParameters) => ParameterValues;

/** Makes the function that turns text into checked values. It throws `bad_parameter` with every bad parameter at once. */
export function createParameterReader(parameters: Readonly<Record<string, ParameterDefinition>>): ParameterReader {
  const readers = Object.entries(parameters).map(
    ([name, definition]) => [name, definition, valueReader(name, definition)] as const,
  );
  return (raw) => {
    const values: Record<string, ParameterValue | null> = {};
    const errors: ParameterError[] = unknownKeys(parameters, raw);
    for (const [name, definition, read] of readers) {
      const text = own(raw.path, name) ?? own(raw.query, name);
      const value = text === undefined ? missing(name, definition) : read(text);
      if (isError(value)) errors.push(value);
      else values[name] = value;
    }
    errors.push(...disorders(parameters, values));
    if (errors.length > 0) throw badParameters(errors);
    return values;
  };
}

/** Values as a request would write them, for examples and generated requests. */
export function rawFromValues(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  values: Readonly<Record<string, ParameterValue>>,
): RawParameters {
  const path: Record<string, string> = {};
  const query: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(values)) {
    if (parameters[name]?.in === 'path') path[name] = String(value);
    else query[name] = Array.isArray(value) ? value.map(String) : String(value);
  }
  return { path, query };
}

const MAX_UNKNOWN_KEYS = 20;
const MAX_GOT_LENGTH = 60;
const INTEGER = /^(0|-?[1-9]\d*)$/;
/** As JSON has it. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const UNSTORABLE = /\0|[\uD800-\uDFFF]/u;

type Read = ParameterValue | ParameterError;

function valueReader(name: string, definition: ParameterDefinition): (text: string | readonly string[]) => Read {
  const expected = expectedOf(definition);
  const isValid = validatorOf(definition);
  const { items } = definition;
  if (items !== undefined) {
    return (text) => {
      const texts = (typeof text === 'string' ? [text] : text).flatMap((part) => part.split(','));
      const values = texts.map((part) => readScalar(items, part));
      if (isValid(values)) return values as (string | number)[];
      const all = texts.join(',');
      return parameterError(name, storable(expected, all, items), all, count(texts));
    };
  }
  return (text) => {
    const [only, second] = typeof text === 'string' ? [text] : text;
    if (only === undefined || second !== undefined) {
      return parameterError(name, 'given once', `${text.length} values`);
    }
    const value = readScalar(definition, only);
    if (value !== undefined && isValid(value)) return value;
    const hint = didYouMean(only, (definition.enum ?? []).map(String));
    return parameterError(name, storable(expected, only, definition), only, hint);
  };
}

/** Text to a value of the declared type, by its one canonical spelling; undefined when it is not one. */
function readScalar({ type, enum: allowed }: ParameterDefinition | ItemDefinition, text: string) {
  switch (type) {
    case 'integer': {
      const value = Number(text);
      return INTEGER.test(text) && Number.isSafeInteger(value) ? value : undefined;
    }
    case 'number':
      return DECIMAL.test(text) && Number.isFinite(Number(text)) ? Number(text) + 0 : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return text === '' || (allowed === undefined && UNSTORABLE.test(text)) ? undefined : text;
  }
}

/** What is expected of a text that is refused for a character that no database can store. */
function storable(expected: string, text: string, { type, enum: allowed }: ItemDefinition): string {
  const isText = type === 'string' && allowed === undefined;
  return isText && UNSTORABLE.test(text) ? `${expected}, without U+0000 and unpaired surrogates` : expected;
}

function count(values: readonly string[]): string {
  return values.length === 1 ? '' : ` (${values.length} values)`;
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function missing(name: string, { default: value, required, ...definition }: ParameterDefinition): Read | null {
  if (value !== undefined) return value;
  return required || definition.in === 'path' ? parameterError(name, expectedOf(definition), undefined) : null;
}

function unknownKeys(parameters: Readonly<Record<string, ParameterDefinition>>, raw: RawParameters): ParameterError[] {
  const known = Object.keys(parameters).filter((name) => !Object.hasOwn(raw.path, name));
  const expected = known.length === 0 ? 'no parameters' : `one of ${known.join(', ')}`;
  return Object.keys(raw.query)
    .filter((key) => !known.includes(key))
    .slice(0, MAX_UNKNOWN_KEYS)
    .map((key) => {
      const got = shown(key);
      const message = `${got} is not a parameter of this endpoint${didYouMean(key, known)}: expected ${expected}`;
      return { parameter: key, expected, got, message };
    });
}

/** Errors of parameters that exceed the one they must not be after. */
function disorders(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  values: ParameterValues,
): ParameterError[] {
  return Object.entries(parameters).flatMap(([name, { notAfter }]) => {
    if (notAfter === undefined) return [];
    const [value, end] = [values[name], values[notAfter]];
    if (value === undefined || value === null || end === undefined || end === null || value <= end) return [];
    return [parameterError(name, `at most ${notAfter} (${end})`, String(value))];
  });
}

function parameterError(parameter: string, expected: string, text: string | undefined, hint = ''): ParameterError {
  const got = text === undefined ? 'nothing' : shown(text);
  return { parameter, expected, got, message: `${parameter} must be ${expected}, got ${got}${hint}` };
}

function shown(text: string): string {
  if (text.length <= MAX_GOT_LENGTH) return quoted(text);
  return `${quoted(`${text.slice(0, MAX_GOT_LENGTH)}…`)} (${[...text].length} characters)`;
}

function quoted(text: string): string {
  return JSON.stringify(text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD'));
}

function isError(value: Read | null): value is ParameterError {
  return typeof value === 'object' && value !== null && 'parameter' in value;
}

function badParameters(errors: readonly ParameterError[]): EngineError {
  return new EngineError('bad_parameter', errors.map(({ message }) => message).join('; '), { parameters: errors });
}
