import { didYouMean } from '../../sql/did-you-mean.js';
import type { EndpointDefinition, ItemDefinition, ParameterDefinition } from '../definition/definition.js';
import type { DefinitionPath, DefinitionSource } from '../definition/definition-source.js';
import { kindOf } from '../definition/definition-source.js';
import type { Problem } from '../definition/problem.js';
import { expectedOf, linearPattern, validatorOf } from '../parameters/parameter-schema.js';
import { BUILT_IN } from '../template/template-output.js';
import { checkPath } from './path-check.js';

export interface ParameterCheck {
  readonly problems: readonly Problem[];
  /** Names of parameters that have a problem: values are not checked against these. */
  readonly wrong: ReadonlySet<string>;
  /** Whether every parameter's type is clear, so that templates can be read. */
  readonly isClear: boolean;
}

/** Checks what the schema cannot say about parameters: words that fit the type, values inside their own bounds, routes. */
export function checkParameters(
  source: DefinitionSource,
  definition: EndpointDefinition,
  misspelled: ReadonlySet<string>,
): ParameterCheck {
  const wrong = new Set(misspelled);
  const entries = Object.entries(definition.params);
  let isClear = entries.every(([name, { type }]) => !misspelled.has(name) || type !== undefined);
  const problems = entries.flatMap(([name, parameter]) => {
    if (misspelled.has(name)) return [];
    const unclear = firstOf([
      () => reservedName(source, name, definition),
      () => similarName(source, name, definition),
      () => checkType(source, ['params', name], parameter),
      () => (parameter.in === 'path' ? checkPathParameter(source, name, parameter) : []),
    ]);
    const found = firstOf([
      () => unclear,
      () => checkPresence(source, name, parameter),
      () => checkValue(source, ['params', name, 'default'], parameter, parameter.default),
      () => checkValue(source, ['params', name, 'example'], parameter, parameter.example),
      () => checkOrder(source, name, definition.params),
    ]);
    if (unclear.length > 0) isClear = false;
    if (found.length > 0) wrong.add(name);
    return found;
  });
  return { problems: [...problems, ...checkPath(source, definition, misspelled)], wrong, isClear };
}

/** Checks a value written in the file against its parameter. */
export function checkValue(
  source: DefinitionSource,
  path: DefinitionPath,
  parameter: ParameterDefinition,
  value: unknown,
): Problem[] {
  if (value === undefined || validatorOf(parameter)(value)) return [];
  const known = didYouMean(String(value), (parameter.enum ?? []).map(String));
  return [
    source.problem(path, `not a value that this parameter takes${known}`, {
      expected: expectedOf(parameter),
      got: kindOf(value),
    }),
  ];
}

const WORDS: Readonly<Record<ParameterDefinition['type'], readonly string[]>> = {
  string: ['format', 'enum', 'minLength', 'maxLength', 'pattern'],
  integer: ['enum', 'minimum', 'maximum'],
  number: ['enum', 'minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
};
const ALL_WORDS = [...new Set(Object.values(WORDS).flat())];
const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;
const LIQUID_WORDS = ['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains'];

/** The problems of the first check that finds any: later ones would only repeat it. */
function firstOf(checks: readonly (() => Problem[])[]): Problem[] {
  for (const check of checks) {
    const problems = check();
    if (problems.length > 0) return problems;
  }
  return [];
}

function reservedName(source: DefinitionSource, name: string, { pagination }: EndpointDefinition): Problem[] {
  const path = ['params', name];
  if (BUILT_IN.includes(name) || LIQUID_WORDS.includes(name)) {
    return [
      source.problem(path, `"${name}" has a meaning of its own in templates: choose another name`, { at: 'key' }),
    ];
  }
  if (pagination === undefined) return [];
  if (name === 'page' || name === 'page_size') {
    return [source.problem(path, `pagination adds "${name}" itself: leave it out`, { at: 'key' })];
  }
  return foldName(name) !== 'pagesize' ? [] : [source.problem(path, tooAlike(name, 'page_size'), { at: 'key' })];
}

/** Callers mistake such names for each other, and generated clients make one name of both. */
function similarName(source: DefinitionSource, name: string, { params }: EndpointDefinition): Problem[] {
  const names = Object.keys(params);
  const earlier = names.slice(0, names.indexOf(name)).find((other) => foldName(other) === foldName(name));
  return earlier === undefined ? [] : [source.problem(['params', name], tooAlike(name, earlier), { at: 'key' })];
}

function tooAlike(name: string, other: string): string {
  return `"${name}" and "${other}" differ by capitals or _ only: choose another name`;
}

function foldName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function checkType(
  source: DefinitionSource,
  path: DefinitionPath,
  parameter: ParameterDefinition | ItemDefinition,
): Problem[] {
  const { type, enum: values, pattern } = parameter;
  if (type === undefined) {
    return [source.problem(path, 'the key "type" is missing: only an enum goes without', { at: 'key' })];
  }
  const stray = ALL_WORDS.find((word) => Object.hasOwn(parameter, word) && !WORDS[type].includes(word));
  if (stray !== undefined) {
    return [source.problem([...path, stray], `${stray} says nothing about a parameter of type ${type}`, { at: 'key' })];
  }
  if (values !== undefined) {
    const others = ['format', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'];
    const idle = others.find((word) => Object.hasOwn(parameter, word));
    if (idle !== undefined)
      return [source.problem([...path, idle], `enum says it all, ${idle} adds nothing`, { at: 'key' })];
    return checkEnum(source, [...path, 'enum'], type, values);
  }
  for (const [least, most] of BOUNDS) {
    const [from, to] = [Reflect.get(parameter, least), Reflect.get(parameter, most)];
    if (typeof from === 'number' && typeof to === 'number' && from > to) {
      const facts = { expected: `at most ${to}`, got: `${from}` };
      return [source.problem([...path, least], `${least} is more than ${most}`, facts)];
    }
  }
  const wrongPattern = pattern === undefined ? [] : checkPattern(source, [...path, 'pattern'], pattern);
  if (wrongPattern.length > 0) return wrongPattern;
  return type === 'array' ? checkArray(source, path, parameter as ParameterDefinition) : [];
}

function checkArray(
  source: DefinitionSource,
  path: DefinitionPath,
  { items, maxItems }: ParameterDefinition,
): Problem[] {
  const absent = items === undefined ? 'items' : maxItems === undefined ? 'maxItems' : undefined;
  if (absent !== undefined) return [source.problem(path, `an array needs the key "${absent}"`, { at: 'key' })];
  return items === undefined ? [] : checkType(source, [...path, 'items'], items);
}

function checkEnum(
  source: DefinitionSource,
  path: DefinitionPath,
  type: ParameterDefinition['type'],
  values: readonly (string | number)[],
): Problem[] {
  const fits = (value: string | number) =>
    type === 'string'
      ? typeof value === 'string' && value !== ''
      : type === 'integer'
        ? Number.isSafeInteger(value)
        : typeof value === 'number';
  for (const [index, value] of values.entries()) {
    if (!fits(value)) {
      const expected = type === 'string' ? 'text, in quotes where YAML would read something else' : `of type ${type}`;
      return [
        source.problem([...path, index], 'the values of an enum are of one type', { expected, got: kindOf(value) }),
      ];
    }
    if (values.indexOf(value) !== index) {
      return [source.problem([...path, index], 'this value stands in the enum twice', { got: kindOf(value) })];
    }
  }
  return [];
}

/** Clients read the pattern as JSON Schema has it, so it must be one of JavaScript, too. */
function checkPattern(source: DefinitionSource, path: DefinitionPath, pattern: string): Problem[] {
  if (failure(() => new RegExp(pattern, 'u')) !== undefined) {
    return [source.problem(path, 'not a regular expression', { got: pattern })];
  }
  const reason = failure(() => linearPattern(pattern))?.replace(/^error parsing regexp: /, '');
  if (reason === undefined) return [];
  const expected = 'no look-around, no back-references and no repetitions beyond 1000';
  const message = `not a regular expression that is checked in bounded time: ${reason}`;
  return [source.problem(path, message, { expected, got: pattern })];
}

/** The message of the error that the work throws. */
function failure(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function checkPathParameter(source: DefinitionSource, name: string, parameter: ParameterDefinition): Problem[] {
  const path = ['params', name];
  if (parameter.type === 'array') return [source.problem([...path, 'type'], 'a path parameter is a single value')];
  const idle = (['default', 'required'] as const).find((word) => parameter[word] !== undefined);
  if (idle === undefined) return [];
  return [source.problem([...path, idle], `a path parameter is always given, ${idle} adds nothing`, { at: 'key' })];
}

function checkPresence(source: DefinitionSource, name: string, parameter: ParameterDefinition): Problem[] {
  const path = ['params', name, 'default'];
  if (Array.isArray(parameter.default) && parameter.default.length === 0) {
    const message = `no list is empty: leave the default out, and ask with {% if ${name} %} whether it is given`;
    return [source.problem(path, message, { at: 'key' })];
  }
  if (parameter.required !== true || parameter.default === undefined) return [];
  return [source.problem(path, 'a required parameter never takes its default: keep one of them', { at: 'key' })];
}

function checkOrder(source: DefinitionSource, name: string, params: EndpointDefinition['params']): Problem[] {
  const { notAfter, type, format } = params[name] ?? {};
  if (notAfter === undefined) return [];
  const path = ['params', name, 'notAfter'];
  const other = Object.hasOwn(params, notAfter) && notAfter !== name ? params[notAfter] : undefined;
  if (other === undefined) {
    const known = Object.keys(params).filter((candidate) => candidate !== name);
    return [source.problem(path, `"${notAfter}" is no other parameter${didYouMean(notAfter, known)}`)];
  }
  const isOrdered = format === 'date' || type === 'integer' || type === 'number';
  if (isOrdered && other.type === type && other.format === format) return [];
  return [source.problem(path, 'only numbers and dates of the same type have an order')];
}
