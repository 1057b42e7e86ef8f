import type { ConsoleParameter } from '../../api/definitions.js';
import { joinList, splitList } from '../../app/list-text.js';

/** The values of parameters as texts, as in the query of a URL. Absent parameters have their defaults. */
export type ParameterTexts = Readonly<Record<string, string>>;
/** Messages by the names of parameters. */
export type ParameterErrors = Readonly<Record<string, string>>;

/** The keywords of JSON Schema that describe parameters. */
export interface ValueSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Returns the value of a parameter. Names such as `constructor` are also handled correctly. */
export function valueIn(values: ParameterTexts, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

export function schemaOf({ schema }: ConsoleParameter): ValueSchema {
  return schema as ValueSchema;
}

/** Returns the default as text; undefined without a default. */
export function defaultOf(parameter: ConsoleParameter): string | undefined {
  const { default: value } = schemaOf(parameter);
  return value === undefined ? undefined : toText(value);
}

/** Converts a value of an example or a default to the text in a URL. */
export function toText(value: unknown): string {
  return Array.isArray(value) ? joinList(value) : String(value);
}

/** Returns the values to send, without empty values and defaults. Unknown names are kept, so that the service reports them. */
export function cleanValues(parameters: readonly ConsoleParameter[], values: ParameterTexts): ParameterTexts {
  const defaults = new Map(parameters.map((parameter) => [parameter.name, defaultOf(parameter)]));
  return Object.fromEntries(
    Object.entries(values).filter(([name, text]) => text !== '' && text !== defaults.get(name)),
  );
}

/** Returns the required parameters without a value. */
export function missingOf(parameters: readonly ConsoleParameter[], values: ParameterTexts): readonly string[] {
  return parameters.filter(({ name, required }) => required && !valueIn(values, name)).map(({ name }) => name);
}

/** Checks all values against the declared limits. */
export function checkValues(parameters: readonly ConsoleParameter[], values: ParameterTexts): ParameterErrors {
  const errors = parameters.flatMap((parameter): [string, string][] => {
    const message = checkValue(parameter, valueIn(values, parameter.name) ?? '');
    return message === undefined ? [] : [[parameter.name, message]];
  });
  return { ...orderErrors(parameters, values), ...Object.fromEntries(errors) };
}

/** Returns the problem with a text; undefined if it is valid. A missing value is only a problem if it is required. */
export function checkValue(parameter: ConsoleParameter, text: string): string | undefined {
  if (text === '') return parameter.required ? 'A value is required.' : undefined;
  return checkText(schemaOf(parameter), text);
}

/** Checks one item of a list. */
export function checkItem({ items = {} }: ValueSchema, text: string): string | undefined {
  return checkText({ ...items, type: items.type ?? 'string' }, text);
}

function checkText(schema: ValueSchema, text: string): string | undefined {
  const { type, enum: values } = schema;
  if (values !== undefined) {
    return values.map(String).includes(text) ? undefined : `Must be one of ${values.join(', ')}.`;
  }
  if (type === 'boolean') return /^(true|false)$/.test(text) ? undefined : 'Must be true or false.';
  if (type === 'integer' || type === 'number') return checkNumber(schema, text);
  if (type === 'array') return checkList(schema, splitList(text));
  if (schema.format === 'date') return isDay(text) ? undefined : 'Must be a day, such as 2024-01-31.';
  return checkLength(schema, text) ?? checkPattern(schema, text);
}

function checkNumber({ type, minimum, maximum }: ValueSchema, text: string): string | undefined {
  const isInteger = type === 'integer';
  const form = isInteger ? /^(0|-?[1-9]\d*)$/ : /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i;
  if (!form.test(text)) return isInteger ? 'Must be a whole number.' : 'Must be a number.';
  const value = Number(text);
  if (minimum !== undefined && value < minimum) return `Must be ${minimum} or more.`;
  if (maximum !== undefined && value > maximum) return `Must be ${maximum} or less.`;
  return undefined;
}

function checkList(schema: ValueSchema, items: readonly string[]): string | undefined {
  const { minItems = 1, maxItems } = schema;
  if (items.length < minItems) return `At least ${minItems} values are needed.`;
  if (maxItems !== undefined && items.length > maxItems) return `At most ${maxItems} values are allowed.`;
  const wrong = items.find((item) => checkItem(schema, item) !== undefined);
  return wrong === undefined ? undefined : `“${wrong}”: ${checkItem(schema, wrong)}`;
}

function checkLength({ minLength = 0, maxLength }: ValueSchema, text: string): string | undefined {
  const length = [...text].length;
  if (length < minLength) return `At least ${minLength} characters are needed.`;
  if (maxLength !== undefined && length > maxLength) return `At most ${maxLength} characters are allowed.`;
  return undefined;
}

/** Patterns that the browser does not support are ignored here; the service checks them. */
function checkPattern({ pattern }: ValueSchema, text: string): string | undefined {
  if (pattern === undefined) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text) ? undefined : `Must match the pattern ${pattern}`;
  } catch {
    return undefined;
  }
}

function isDay(text: string): boolean {
  const date = /^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Checks the order of pairs, such as the first and the last day of a range. */
function orderErrors(parameters: readonly ConsoleParameter[], values: ParameterTexts): ParameterErrors {
  const effective = (name: string) => {
    const parameter = parameters.find((one) => one.name === name);
    return valueIn(values, name) || (parameter && defaultOf(parameter)) || undefined;
  };
  const errors = parameters.flatMap((parameter): [string, string][] => {
    const { name, notAfter } = parameter;
    const [start, end] = [effective(name), notAfter === undefined ? undefined : effective(notAfter)];
    if (start === undefined || end === undefined) return [];
    const isAfter = schemaOf(parameter).format === 'date' ? start > end : Number(start) > Number(end);
    return isAfter ? [[name, `Must not be after ${notAfter} (${end}).`]] : [];
  });
  return Object.fromEntries(errors);
}
