import { formatValue } from '../../engine/http/requests/format-value.js';
import {
  type Endpoint,
  EngineError,
  type ItemDefinition,
  type ParameterDefinition,
  type ParameterError,
  type RawParameters,
} from '../../engine/index.js';

type Parameters = Endpoint['parameters'];
type Given = Readonly<Record<string, unknown>>;

/**
 * Converts the arguments of a call to the raw parameters of a request. A JSON value whose type differs from that of its parameter is
 * rejected and never converted. Throws `bad_parameter` with every invalid parameter.
 */
export function rawFromArguments(
  { parameters, readParameters }: Pick<Endpoint, 'parameters' | 'readParameters'>,
  given: Given,
): RawParameters {
  const faults = Object.entries(given).flatMap(([name, value]) => faultOf(parameters, name, value) ?? []);
  const raw = { path: {}, query: rawTexts(parameters, given, new Set(faults.map(({ parameter }) => parameter))) };
  if (faults.length === 0) return raw;
  const wrong = new Set(faults.map(({ parameter }) => parameter));
  const others = errorsOf(() => readParameters(raw)).filter(({ parameter }) => !wrong.has(parameter));
  const all = [...faults, ...others];
  throw new EngineError('bad_parameter', all.map(({ message }) => message).join('; '), { parameters: all });
}

/** Returns the text of each value. Unknown names are kept, so that the reader of the parameters reports them. */
function rawTexts(parameters: Parameters, given: Given, wrong: ReadonlySet<string>): RawParameters['query'] {
  const texts = Object.entries(given)
    .filter(([name]) => !wrong.has(name))
    .map(([name, value]) => [name, ownParameter(parameters, name) === undefined ? '' : textOf(value)] as const);
  return Object.fromEntries(texts);
}

function textOf(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(String) : String(value);
}

function faultOf(parameters: Parameters, name: string, value: unknown): ParameterError | undefined {
  const definition = ownParameter(parameters, name);
  if (definition === undefined) return undefined;
  if (definition.items === undefined)
    return hasType(definition, value) ? undefined : typeError(name, definition, value);
  const { items } = definition;
  if (!Array.isArray(value)) return typeError(name, definition, value);
  const wrong = value.findIndex((item) => !hasType(items, item));
  if (wrong >= 0) return typeError(name, definition, value[wrong], ' in the list');
  // The values of a list are joined by commas, so a value with a comma would silently become two values.
  const joined = value.find((item) => typeof item === 'string' && item.includes(','));
  if (joined === undefined) return undefined;
  return createError(name, 'a list of texts without commas', `${formatValue(joined)} in the list`);
}

function hasType({ type }: ParameterDefinition | ItemDefinition, value: unknown): boolean {
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  return typeof value === type;
}

function typeError(
  name: string,
  { type, ...definition }: ParameterDefinition,
  value: unknown,
  place = '',
): ParameterError {
  const each = definition.items?.type;
  const expected = each === undefined ? TYPES[type] : `a list in which each value is ${TYPES[each]}`;
  const hint = value === null ? '; omit it for its default' : '';
  return createError(name, expected, `${formatValue(value)}${place}${hint}`);
}

const TYPES = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
} as const;

function createError(parameter: string, expected: string, got: string): ParameterError {
  return { parameter, expected, got, message: `${parameter} must be ${expected}, got ${got}` };
}

function errorsOf(read: () => unknown): readonly ParameterError[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.details.parameters ?? [];
  }
}

function ownParameter(parameters: Parameters, name: string): ParameterDefinition | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}
