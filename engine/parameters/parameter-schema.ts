import { Ajv, type ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import type { ItemDefinition, ParameterDefinition } from '../definition/definition.js';

/** The most characters of a text whose definition does not say. */
export const DEFAULT_MAX_LENGTH = 255;

type Values = ParameterDefinition | ItemDefinition;

/**
 * Whether a value, already of JavaScript's type, is one that the definition allows. Validators are compiled once for
 * equal words, since most endpoints of a collection share their parameters. An invalid `pattern` throws.
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

/** What a parameter may be, in words that follow "must be". */
export function expectedOf(definition: Values): string {
  if (definition.enum !== undefined) return `one of ${definition.enum.join(', ')}`;
  if (definition.format === 'date') return 'a date YYYY-MM-DD from 1000-01-01 to 9999-12-31';
  switch (definition.type) {
    case 'boolean':
      return 'true or false';
    case 'integer': {
      const { minimum, maximum } = integerBounds(definition);
      return `an integer${range(minimum, maximum)}`;
    }
    case 'number':
      return `a number${range(definition.minimum, definition.maximum)}`;
    case 'array':
      return 'items' in definition ? listWords(definition) : 'a list';
    case 'string': {
      const { minLength = 1, maxLength = DEFAULT_MAX_LENGTH, pattern } = definition;
      const length = minLength === maxLength ? `${maxLength}` : `${minLength} to ${maxLength}`;
      return `text of ${length} characters${pattern === undefined ? '' : ` that matches ${pattern}`}`;
    }
  }
}

/** JSON Schema of what a request may bring: the value, and what the text that carries it cannot hold. For documentation. */
export function createParameterSchema(definition: Values): Record<string, unknown> {
  const schema = valueSchema(definition);
  const pattern = definition.pattern ?? textPattern(definition);
  if (pattern !== undefined) schema.pattern = pattern;
  if ('items' in definition && definition.items !== undefined) {
    const { type, pattern: ofItem, ...items } = createParameterSchema(definition.items);
    const separated = ofItem === STORABLE ? WITHOUT_COMMA : ofItem;
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

/** The bounds of a number; an integer is at most one that JSON and JavaScript have exactly. */
function integerBounds({ type, enum: values, minimum, maximum }: Values): { minimum?: number; maximum?: number } {
  if (type !== 'integer' || values !== undefined)
    return { ...defined('minimum', minimum), ...defined('maximum', maximum) };
  return {
    minimum: Math.max(minimum ?? Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
    maximum: Math.min(maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  };
}

function defined(word: string, value: number | undefined): Record<string, number> {
  return value === undefined ? {} : { [word]: value };
}

/** What reading the text checks without a pattern, in the words of one that every dialect of patterns knows. */
function textPattern({ type, format, enum: values }: Values): string | undefined {
  if (type !== 'string' || values !== undefined) return undefined;
  return format === 'date' ? DAY : STORABLE;
}

const STORABLE = '^[^\\x00]*$';
const WITHOUT_COMMA = '^[^\\x00,]*$';
/** `format` alone would allow the year 0000. */
const DAY = '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$';

/** A day that exists, from year 1000 on: what every database can hold. */
export function isCalendarDay(text: string): boolean {
  const [, year, month, day] = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.toISOString().slice(0, 10) === text;
}

/**
 * A pattern ready to match; throws an error that says what is wrong with it. Its time grows with the text alone, where the
 * engine of JavaScript takes years to find that some patterns do not match 50 letters.
 */
export function linearPattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** `code` would name the function in validators that are written to a file; these are not. */
const regExp = Object.assign(linearPattern, { code: 'linearPattern' });
const ajv = new Ajv({ formats: { date: isCalendarDay }, code: { regExp } });
const validators = new Map<string, ValidateFunction>();

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of ${minimum} or more`;
  return maximum === undefined ? '' : ` of ${maximum} or less`;
}

function listWords({ items, minItems = 1, maxItems }: ParameterDefinition): string {
  const each = items === undefined ? '' : `, each ${expectedOf(items)}`;
  return `${minItems} to ${maxItems} values separated by commas${each}`;
}
