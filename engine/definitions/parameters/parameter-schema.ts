import { Ajv, type ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import type { ItemDefinition, ParameterDefinition } from '../definition.js';

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
