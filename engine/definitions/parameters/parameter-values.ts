import { EngineError, type ParameterError } from '../../databases/interface/errors.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ItemDefinition, ParameterDefinition, ParameterValue } from '../definition.js';
import type { Choices } from './choices.js';
import { expectedOf, validatorOf } from './parameter-schema.js';

/**
 * The percent-decoded parameters of a request. A path parameter can be in `query` instead of `path`, because a request
 * for an endpoint by name has no path parameters.
 */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
}

/** The value of every declared parameter; null if an optional parameter without default is absent. */
export type ParameterValues = Readonly<Record<string, ParameterValue | null>>;

export type ParameterReader = (raw: RawParameters) => ParameterValues;

/**
 * Creates the function that converts text to validated values. It throws `bad_parameter` with all invalid parameters. `choices` are
 * the values from queries, by parameter.
 */
export function createParameterReader(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  choices: ReadonlyMap<string, Choices> = NO_CHOICES,
): ParameterReader {
  const readers = Object.entries(parameters).map(
    ([name, definition]) => [name, definition, createValueReader(name, definition)] as const,
  );
  return (raw) => {
    const values: Record<string, ParameterValue | null> = {};
    const errors: ParameterError[] = findUnknownKeys(parameters, raw);
    for (const [name, definition, read] of readers) {
      const text = ownProperty(raw.path, name) ?? ownProperty(raw.query, name);
      const value = text === undefined ? defaultOf(name, definition) : read(text);
      const wrong = choices.size === 0 ? undefined : choiceError(name, value, choices.get(name));
      if (wrong !== undefined) errors.push(wrong);
      else if (isError(value)) errors.push(value);
      else values[name] = value;
    }
    errors.push(...findOrderErrors(parameters, values), ...replaceValues(parameters, values, raw));
    if (errors.length > 0) throw badParameterError(errors);
    return values;
  };
}

const NO_CHOICES: ReadonlyMap<string, Choices> = new Map();

function choiceError(name: string, value: Read | null, choices: Choices | undefined): ParameterError | undefined {
  if (choices === undefined || value === null || isError(value)) return undefined;
  const wrong = choices.findWrong(value);
  if (wrong === undefined) return undefined;
  const hint = didYouMean(String(wrong), choices.sample(MAX_COMPARED).map(String));
  return parameterError(name, choices.expected, String(wrong), hint);
}

/** The maximum number of allowed values among which a similar value is searched. */
const MAX_COMPARED = 1_000;

/** Converts values to the raw parameters of a request, for examples and generated requests. */
export function rawFromValues(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  values: Readonly<Record<string, ParameterValue>>,
): RawParameters {
  // The objects have no prototype, so that `__proto__` is an ordinary key.
  const path: Record<string, string> = Object.create(null);
  const query: Record<string, string | readonly string[]> = Object.create(null);
  for (const [name, value] of Object.entries(values)) {
    if (parameters[name]?.in === 'path') path[name] = String(value);
    else query[name] = Array.isArray(value) ? value.map(String) : String(value);
  }
  return { path, query };
}

const MAX_UNKNOWN_KEYS = 20;
const MAX_GOT_LENGTH = 60;
const INTEGER = /^(0|-?[1-9]\d*)$/;
/** The number syntax of JSON. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const UNSTORABLE = /\0|[\uD800-\uDFFF]/u;

type Read = ParameterValue | ParameterError;

function createValueReader(name: string, definition: ParameterDefinition): (text: string | readonly string[]) => Read {
  const expected = expectedOf(definition);
  const isValid = validatorOf(definition);
  const { items } = definition;
  if (items !== undefined) {
    return (text) => {
      const isWhole = typeof text !== 'string' && items.type === 'string';
      const texts = isWhole ? text : [text].flat().flatMap(splitList);
      const values = texts.map((part) => readScalar(items, part));
      if (isValid(values)) return values as (string | number)[];
      const all = texts.join(',');
      return parameterError(name, withTextRules(expected, all, items), all, formatCount(texts));
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
    return parameterError(name, withTextRules(expected, only, definition), only, hint);
  };
}

/** Splits a list at its commas. `\\,` is a comma within a value, and `\\\\` a backslash. A repeated parameter needs no escapes. */
function splitList(text: string): string[] {
  const values = [''];
  for (const [part] of text.matchAll(/\\[\\,]|[\s\S]/gu)) {
    if (part === ',') values.push('');
    else values.push(values.pop() + (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return values;
}

/** The accepted spellings of booleans: `True` is that of Python, and HTML forms send `1`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'True', 'TRUE', '1'].map((text) => [text, true] as const),
  ...['false', 'False', 'FALSE', '0'].map((text) => [text, false] as const),
]);

/** Converts text to a value of the declared type. Returns undefined if the text is not valid for the type. */
function readScalar({ type, enum: allowed }: ParameterDefinition | ItemDefinition, text: string) {
  switch (type) {
    case 'integer': {
      const value = Number(text);
      return INTEGER.test(text) && Number.isSafeInteger(value) ? value : undefined;
    }
    case 'number':
      return DECIMAL.test(text) && Number.isFinite(Number(text)) ? Number(text) + 0 : undefined;
    case 'boolean':
      return BOOLEANS.get(text);
    default:
      return text === '' || (allowed === undefined && UNSTORABLE.test(text)) ? undefined : text;
  }
}

/**
 * Adds the rule about forbidden characters to `expected` if the text contains a character that databases cannot store.
 */
function withTextRules(expected: string, text: string, { type, enum: allowed }: ItemDefinition): string {
  const isText = type === 'string' && allowed === undefined;
  return isText && UNSTORABLE.test(text) ? `${expected}, without U+0000 and unpaired surrogates` : expected;
}

function formatCount(values: readonly string[]): string {
  return values.length === 1 ? '' : ` (${values.length} values)`;
}

function ownProperty<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns the value of an absent parameter: its default, null, or an error if it is required. */
function defaultOf(name: string, { default: value, required, ...definition }: ParameterDefinition): Read | null {
  if (value !== undefined) return value;
  return required || definition.in === 'path' ? parameterError(name, expectedOf(definition), undefined) : null;
}

function findUnknownKeys(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  raw: RawParameters,
): ParameterError[] {
  const known = Object.keys(parameters).filter((name) => !Object.hasOwn(raw.path, name));
  const expected = known.length === 0 ? 'no parameters' : `one of ${known.join(', ')}`;
  return Object.keys(raw.query)
    .filter((key) => !known.includes(key))
    .slice(0, MAX_UNKNOWN_KEYS)
    .map((key) => {
      const got = formatText(key);
      const message = `${got} is not a parameter of this endpoint${didYouMean(key, known)}: expected ${expected}`;
      return { parameter: key, expected, got, message };
    });
}

/** Returns an error for each parameter whose value exceeds that of the parameter that its `notAfter` names. */
function findOrderErrors(
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

/** Removes the default of a parameter if the request contains the parameter that replaces it. Returns an error if it contains both. */
function replaceValues(
  parameters: Readonly<Record<string, ParameterDefinition>>,
  values: Record<string, ParameterValue | null>,
  raw: RawParameters,
): ParameterError[] {
  return Object.entries(parameters).flatMap(([name, { replaces }]) => {
    if (replaces === undefined || (values[name] ?? null) === null) return [];
    values[replaces] = null;
    const other = ownProperty(raw.query, replaces);
    return other === undefined ? [] : [parameterError(name, `without ${replaces}`, String(values[name]))];
  });
}

function parameterError(parameter: string, expected: string, text: string | undefined, hint = ''): ParameterError {
  const got = text === undefined ? 'nothing' : formatText(text);
  return { parameter, expected, got, message: `${parameter} must be ${expected}, got ${got}${hint}` };
}

function formatText(text: string): string {
  if (text.length <= MAX_GOT_LENGTH) return quote(text);
  return `${quote(`${text.slice(0, MAX_GOT_LENGTH)}…`)} (${[...text].length} characters)`;
}

function quote(text: string): string {
  return JSON.stringify(text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD'));
}

function isError(value: Read | null): value is ParameterError {
  return typeof value === 'object' && value !== null && 'parameter' in value;
}

export function badParameterError(errors: readonly ParameterError[]): EngineError {
  return new EngineError('bad_parameter', errors.map(({ message }) => message).join('; '), { parameters: errors });
}
