import { Ajv, type ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import { EngineError, type ParameterError } from '../../databases/interface/errors.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import type { ItemDefinition, ParameterDefinition, ParameterValue } from '../definition.js';
import type { Principal } from '../principal.js';
import type { Choices } from './choices.js';

/**
 * The percent-decoded parameters of a request. A path parameter can be in `query` instead of `path`, because a request
 * for an endpoint by name has no path parameters.
 */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The caller, as proved by a credential. Without it, only public definitions can be read. */
  readonly caller?: Principal | undefined;
}

/**
 * The value of every declared parameter; null if an optional parameter without default is absent. The values of the caller that the queries
 * bind follow, under names such as `caller.id`.
 */
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

/** The maximum length of a text in characters, if the definition has no `maxLength`. */
export const DEFAULT_MAX_LENGTH = 255;

type Values = ParameterDefinition | ItemDefinition;

/**
 * Returns the function that checks a value, already converted to its type, against a definition. Equal schemas share one
 * compiled validator, because endpoints often have the same parameters. Throws if `pattern` is invalid.
 */
export function validatorOf(definition: Values): (value: unknown) => boolean {
  const schema = valueSchema(definition);
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known !== undefined) return known;
  const validator = ajv.compile(schema);
  validators.set(key, validator);
  return validator;
}

/** Describes the allowed values of a parameter, as a phrase after "must be". */
export function expectedOf(definition: Values): string {
  if (definition.enum !== undefined) return `one of ${definition.enum.join(', ')}`;
  if (definition.format === 'date') return 'a date YYYY-MM-DD from 1000-01-01 to 9999-12-31';
  switch (definition.type) {
    case 'boolean':
      return 'true or false';
    case 'integer': {
      const { minimum, maximum } = integerBounds(definition);
      return `an integer${formatRange(minimum, maximum)}`;
    }
    case 'number':
      return `a number${formatRange(definition.minimum, definition.maximum)}`;
    case 'array':
      return 'items' in definition ? expectedOfList(definition) : 'a list';
    case 'string': {
      const { minLength = 1, maxLength = DEFAULT_MAX_LENGTH, pattern } = definition;
      const length = minLength === maxLength ? `${maxLength}` : `${minLength} to ${maxLength}`;
      return `text of ${length} characters${pattern === undefined ? '' : ` that matches ${pattern}`}`;
    }
  }
}

/** Returns the JSON Schema of a parameter in a request, for documentation. The schema includes the limits of the text form in a URL. */
export function createParameterSchema(definition: Values): Record<string, unknown> {
  const schema = valueSchema(definition);
  const pattern = definition.pattern ?? textPattern(definition);
  if (pattern !== undefined) schema.pattern = pattern;
  if ('items' in definition && definition.items !== undefined) {
    const { type, pattern: ofItem, ...items } = createParameterSchema(definition.items);
    const separated = ofItem === STORABLE ? UNESCAPED : ofItem;
    schema.items = { type, ...items, ...(separated === undefined ? {} : { pattern: separated }) };
  }
  return schema;
}

function valueSchema(definition: Values): Record<string, unknown> {
  const { type, format, pattern } = definition;
  const words = { format, ...integerBounds(definition), pattern, enum: definition.enum };
  const schema: Record<string, unknown> = { type };
  for (const [word, value] of Object.entries(words)) if (value !== undefined) schema[word] = value;
  if (type === 'string' && definition.enum === undefined && format === undefined) {
    schema.minLength = definition.minLength ?? 1;
    schema.maxLength = definition.maxLength ?? DEFAULT_MAX_LENGTH;
  }
  if ('items' in definition && definition.items !== undefined) {
    schema.items = valueSchema(definition.items);
    schema.minItems = definition.minItems ?? 1;
    schema.maxItems = definition.maxItems;
  }
  return schema;
}

/** Returns the bounds of a number. Integers are limited to the range that JSON and JavaScript represent exactly. */
function integerBounds({ type, enum: values, minimum, maximum }: Values): { minimum?: number; maximum?: number } {
  if (type !== 'integer' || values !== undefined)
    return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return {
    minimum: Math.max(minimum ?? Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
    maximum: Math.min(maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  };
}

/** Returns a pattern that describes the built-in checks of a text, in a syntax that every regular expression engine supports. */
function textPattern({ type, format, enum: values }: Values): string | undefined {
  if (type !== 'string' || values !== undefined) return undefined;
  return format === 'date' ? DAY : STORABLE;
}

const STORABLE = '^[^\\x00]*$';
const UNESCAPED = '^[^\\x00,\\\\]*$';
/** The pattern of a date. The pattern is needed because `format: date` alone would allow the year 0000. */
const DAY = '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

/** The patterns that `createParameterSchema` adds to values whose definition has no pattern. */
export const IMPLICIT_PATTERNS: readonly string[] = [STORABLE, UNESCAPED, DAY];

/** Whether a text is an existing day from year 1000 on. Every database can store these days. */
export function isCalendarDay(text: string): boolean {
  const [, year, month, day] = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.toISOString().slice(0, 10) === text;
}

/**
 * Compiles a pattern so that matching takes linear time in the length of the text. A JavaScript RegExp can need years
 * to reject a text of 50 letters. Throws an error with the reason if the pattern is not supported.
 */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/**
 * ajv requires the property `code`, which names the function in generated files. The property has no effect here,
 * because ajv generates no files.
 */
const regExp = Object.assign(compilePattern, { code: 'compilePattern' });
/**
 * ajv does not validate the parameter schemas, because earlier checks accept only definitions with valid ones. For the
 * validation, ajv would compile the meta-schema at each start, which takes longer than compiling all parameter schemas.
 */
const ajv = new Ajv({ formats: { date: isCalendarDay }, code: { regExp }, meta: false, validateSchema: false });
const validators = new Map<string, ValidateFunction>();

function formatRange(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of ${minimum} or more`;
  return maximum === undefined ? '' : ` of ${maximum} or less`;
}

function expectedOfList({ items, minItems = 1, maxItems }: ParameterDefinition): string {
  const each = items === undefined ? '' : `, each ${expectedOf(items)}`;
  return `${minItems} to ${maxItems} values separated by commas${each}`;
}
