import type { ParameterDefinition, ParameterValue } from '../../definitions/definition.js';
import { type Endpoint, trialRequest } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';

/** A request that is generated from the declared parameters, and its expected result. */
export interface Case {
  readonly name: string;
  readonly raw: RawParameters;
  /**
   * `safe` means that the result must be an answer or `bad_parameter`, and that the SQL must not change because of the
   * hostile value.
   */
  readonly expected: 'answer' | 'bad_parameter' | 'safe';
  /** The parameter that `bad_parameter` must name. */
  readonly parameter: string;
}

/**
 * Returns the values of a valid request. A value comes from `given`, otherwise from the first example, otherwise from
 * the parameter definition.
 */
export function baseValues(
  { definition, parameters }: Endpoint,
  given: Readonly<Record<string, ParameterValue>> = {},
): Record<string, ParameterValue> {
  const values: Record<string, ParameterValue> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = sampleValueOf(parameter);
    if (value !== undefined) values[name] = value;
  }
  return { ...values, ...definition.examples[0]?.params, ...given };
}

/** Generates one case per enum value and per bound, and cases with absent, invalid, repeated, unknown and hostile values. */
export function generateCases(endpoint: Endpoint, base = baseValues(endpoint)): Case[] {
  const raw = (values: Record<string, ParameterValue>) => trialRequest(endpoint, values);
  const casesOf = (name: string, parameter: ParameterDefinition): Case[] => {
    const createCase = (value: ParameterValue, expected: Case['expected'], text: string): Case => {
      return { name: `${name}: ${text}`, raw: raw({ ...base, [name]: value }), expected, parameter: name };
    };
    return [
      ...validValues(parameter).map((value) => createCase(value, 'answer', JSON.stringify(value))),
      ...invalidValues(parameter).map((value) => createCase(value, 'bad_parameter', formatValue(value))),
      ...hostileValues(parameter).map((value) => createCase(value, 'safe', formatValue(value))),
      ...absentCases(name, parameter, base, raw),
      ...repeatedCases(name, parameter, raw(base)),
    ];
  };
  return [
    { name: 'base request', raw: raw(base), expected: 'answer', parameter: '' },
    ...Object.entries(endpoint.parameters).flatMap(([name, parameter]) => casesOf(name, parameter)),
    unknownParameterCase(raw(base)),
  ];
}

/** Returns all values of an enum or a boolean, otherwise the bounds of the parameter. */
export function validValues(parameter: ParameterDefinition): ParameterValue[] {
  const { type, enum: allowed, minimum, maximum } = parameter;
  if (allowed !== undefined) return [...allowed];
  if (type === 'boolean') return [true, false];
  if (type === 'array') return [listOf(parameter)].filter((list) => list !== undefined);
  return [minimum, maximum].filter((bound) => bound !== undefined);
}

/** Returns a value that the definition of a parameter contains. */
function sampleValueOf(parameter: ParameterDefinition): ParameterValue | undefined {
  return parameter.example ?? parameter.default ?? parameter.enum?.[0] ?? listOf(parameter);
}

/** Returns a valid list for a parameter; undefined if its definition contains no item. */
export function listOf({
  example,
  default: value,
  items,
  minItems = 1,
}: ParameterDefinition): ParameterValue | undefined {
  if (Array.isArray(example)) return example;
  if (Array.isArray(value)) return value;
  const named = items === undefined ? [] : [items.enum, items.minimum, items.maximum].flat();
  const [item] = named.filter((one) => one !== undefined);
  return item === undefined ? undefined : Array.from({ length: minItems }, () => item);
}

function invalidValues(parameter: ParameterDefinition): string[] {
  const { type, format, minimum, maximum, minLength, maxLength } = parameter;
  if (parameter.enum !== undefined) return ['no such value', ''];
  if (type === 'boolean') return ['maybe', ''];
  if (type === 'integer' || type === 'number') {
    const outside = [minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : maximum + 1].flat();
    return ['many', '', '0x10', ...(type === 'integer' ? ['1.5'] : []), ...outside.map(String)];
  }
  if (format === 'date') return ['yesterday', '2021-02-30', '2021-1-1', ''];
  if (type === 'array') return [''];
  const tooLong = maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)];
  const tooShort = minLength === undefined || minLength < 1 ? [] : ['x'.repeat(minLength - 1)];
  return ['', ...tooLong, ...tooShort];
}

function hostileValues({ type, format, enum: allowed }: ParameterDefinition): string[] {
  return type === 'string' && format === undefined && allowed === undefined ? [...HOSTILE_STRINGS] : [];
}

function absentCases(
  name: string,
  parameter: ParameterDefinition,
  base: Record<string, ParameterValue>,
  raw: (values: Record<string, ParameterValue>) => RawParameters,
): Case[] {
  const { [name]: _removed, ...others } = base;
  const isRequired = (parameter.required === true || parameter.in === 'path') && parameter.default === undefined;
  const expected = isRequired ? 'bad_parameter' : 'answer';
  return [{ name: `${name}: not given`, raw: raw(others), expected, parameter: name }];
}

function repeatedCases(name: string, parameter: ParameterDefinition, { query, ...others }: RawParameters): Case[] {
  const text = query[name];
  if (parameter.in === 'path' || parameter.type === 'array' || typeof text !== 'string') return [];
  const raw = { ...others, query: { ...query, [name]: [text, text] } };
  return [{ name: `${name}: given twice`, raw, expected: 'bad_parameter', parameter: name }];
}

function unknownParameterCase({ query, ...others }: RawParameters): Case {
  const parameter = 'no_such_parameter';
  const raw = { ...others, query: { ...query, [parameter]: '1' } };
  return { name: 'a parameter that is not declared', raw, expected: 'bad_parameter', parameter };
}

function formatValue(value: string): string {
  return value.length > 40 ? `${value.length} characters` : JSON.stringify(value);
}

/** Texts that often break services: quotes, comments, operators, encodings, templates and paths. */
export const HOSTILE_STRINGS: readonly string[] = [
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  "' UNION SELECT 1, 2 -- ",
  '/* */',
  '-- ',
  '#',
  ';',
  ':p1',
  '$1',
  '?',
  '%',
  '_',
  '%s%n',
  '{{ now }}',
  '{% if true %}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a hostile value
  '${7*7}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  'null',
  'NaN',
  '😀',
  '\u202Eabc',
  'ｱ',
  '\u0000',
  '\uD800',
  ' ',
  '-1',
  '1e309',
  '__proto__',
  'constructor',
];
