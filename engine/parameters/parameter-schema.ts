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
export function valueValidator(definition: Values): (value: unknown) => boolean {
  const schema = jsonSchema(definition);
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
  if (definition.format === 'date') return 'a date YYYY-MM-DD';
  switch (definition.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return `${definition.type === 'integer' ? 'an integer' : 'a number'}${range(definition.minimum, definition.maximum)}`;
    case 'array':
      return 'items' in definition ? listWords(definition) : 'a list';
    case 'string': {
      const { minLength = 1, maxLength = DEFAULT_MAX_LENGTH, pattern } = definition;
      const length = minLength === maxLength ? `${maxLength}` : `${minLength} to ${maxLength}`;
      return `text of ${length} characters${pattern === undefined ? '' : ` that matches ${pattern}`}`;
    }
  }
}

/** JSON Schema of one value, for the validator and for generated documentation. */
export function jsonSchema(definition: Values): Record<string, unknown> {
  const { type, format, minimum, maximum, pattern } = definition;
  const words = { format, minimum, maximum, pattern, enum: definition.enum };
  const schema: Record<string, unknown> = { type };
  for (const [word, value] of Object.entries(words)) if (value !== undefined) schema[word] = value;
  if (type === 'string' && definition.enum === undefined && format === undefined) {
    schema.minLength = definition.minLength ?? 1;
    schema.maxLength = definition.maxLength ?? DEFAULT_MAX_LENGTH;
  }
  if ('items' in definition && definition.items !== undefined) {
    schema.items = jsonSchema(definition.items);
    schema.minItems = definition.minItems ?? 1;
    schema.maxItems = definition.maxItems;
  }
  return schema;
}

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
