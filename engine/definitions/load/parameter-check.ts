import { didYouMean } from '../../sql/did-you-mean.js';
import type { EndpointDefinition, ItemDefinition, ParameterDefinition } from '../definition.js';
import { type DefinitionPath, type DefinitionSource, describeValue } from '../definition-source.js';
import { compilePattern, expectedOf, validatorOf } from '../parameters/parameter-values.js';
import type { Problem } from '../problem.js';
import { BUILT_IN } from '../template/template-output.js';

export interface ParameterCheck {
  readonly problems: readonly Problem[];
  /** Names of parameters that have a problem. Values of these parameters are not checked. */
  readonly invalid: ReadonlySet<string>;
  /** Whether the type of every parameter is known. If not, templates cannot be parsed. */
  readonly areTypesKnown: boolean;
}

/** The keys of a definition that declare its parameters. */
export type Declared = Pick<EndpointDefinition, 'path' | 'params' | 'pagination'>;

/**
 * Checks rules that the JSON Schema cannot express: keywords must fit the type, values must be within the bounds, and
 * the path must contain exactly the path parameters.
 */
export function checkParameters(
  source: DefinitionSource,
  definition: Declared,
  misspelled: ReadonlySet<string>,
): ParameterCheck {
  const invalid = new Set(misspelled);
  const entries = Object.entries(definition.params);
  let areTypesKnown = entries.every(([name, { type }]) => !misspelled.has(name) || type !== undefined);
  const problems = entries.flatMap(([name, parameter]) => {
    if (misspelled.has(name)) return [];
    const typeProblems = firstProblems([
      () => checkReservedName(source, name, definition),
      () => checkSimilarName(source, name, definition),
      () => checkType(source, ['params', name], parameter),
      () => (parameter.in === 'path' ? checkPathParameter(source, name, parameter) : []),
    ]);
    const ofParameter = firstProblems([
      () => typeProblems,
      () => checkPresence(source, name, parameter),
      () => checkValue(source, ['params', name, 'default'], parameter, parameter.default),
      () => checkValue(source, ['params', name, 'example'], parameter, parameter.example),
      () => checkOrder(source, name, definition.params),
    ]);
    if (typeProblems.length > 0) areTypesKnown = false;
    if (ofParameter.length > 0) invalid.add(name);
    return ofParameter;
  });
  return { problems: [...problems, ...checkPath(source, definition, misspelled)], invalid, areTypesKnown };
}

/** Checks a value in the file against the definition of its parameter. */
export function checkValue(
  source: DefinitionSource,
  path: DefinitionPath,
  parameter: ParameterDefinition,
  value: unknown,
): Problem[] {
  if (value === undefined || validatorOf(parameter)(value)) return [];
  const known = didYouMean(String(value), (parameter.enum ?? []).map(String));
  return [
    source.problem(path, `invalid value for this parameter${known}`, {
      expected: expectedOf(parameter),
      got: describeValue(value),
    }),
  ];
}

const LIQUID_WORDS = ['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains'];

/** Returns the problems of the first check that finds any. Later checks would only report the same mistake again. */
function firstProblems(checks: readonly (() => Problem[])[]): Problem[] {
  for (const check of checks) {
    const problems = check();
    if (problems.length > 0) return problems;
  }
  return [];
}

function checkReservedName(source: DefinitionSource, name: string, { pagination }: Declared): Problem[] {
  const path = ['params', name];
  if (BUILT_IN.includes(name) || LIQUID_WORDS.includes(name)) {
    return [source.problem(path, `"${name}" is a reserved name in templates: choose another name`, { at: 'key' })];
  }
  if (pagination === undefined) return [];
  if (name === 'page' || name === 'page_size' || name === 'cursor') {
    return [source.problem(path, `pagination already adds "${name}": remove this parameter`, { at: 'key' })];
  }
  return foldName(name) !== 'pagesize'
    ? []
    : [source.problem(path, similarNameMessage(name, 'page_size'), { at: 'key' })];
}

/**
 * Reports a parameter whose name differs from an earlier name only in upper case or `_`. Callers confuse such names,
 * and generated clients convert both to the same name.
 */
function checkSimilarName(source: DefinitionSource, name: string, { params }: Declared): Problem[] {
  const names = Object.keys(params);
  const earlier = names.slice(0, names.indexOf(name)).find((other) => foldName(other) === foldName(name));
  return earlier === undefined
    ? []
    : [source.problem(['params', name], similarNameMessage(name, earlier), { at: 'key' })];
}

function similarNameMessage(name: string, other: string): string {
  return `"${name}" and "${other}" differ only in capitals or _: choose another name`;
}

function foldName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function checkPathParameter(source: DefinitionSource, name: string, parameter: ParameterDefinition): Problem[] {
  const path = ['params', name];
  if (parameter.type === 'array') return [source.problem([...path, 'type'], 'a path parameter cannot be an array')];
  const redundant = (['default', 'required'] as const).find((word) => parameter[word] !== undefined);
  if (redundant === undefined) return [];
  const message = `a path parameter is always required: remove ${redundant}`;
  return [source.problem([...path, redundant], message, { at: 'key' })];
}

function checkPresence(source: DefinitionSource, name: string, parameter: ParameterDefinition): Problem[] {
  const path = ['params', name, 'default'];
  if (Array.isArray(parameter.default) && parameter.default.length === 0) {
    const message = `a list cannot be empty: remove the default, and test with {% if ${name} %} whether a request has the list`;
    return [source.problem(path, message, { at: 'key' })];
  }
  if (parameter.required !== true || parameter.default === undefined) return [];
  return [source.problem(path, 'a required parameter cannot have a default: remove one of them', { at: 'key' })];
}

function checkOrder(source: DefinitionSource, name: string, params: Declared['params']): Problem[] {
  const { notAfter, type, format } = params[name] ?? {};
  if (notAfter === undefined) return [];
  const path = ['params', name, 'notAfter'];
  const other = Object.hasOwn(params, notAfter) && notAfter !== name ? params[notAfter] : undefined;
  if (other === undefined) {
    const known = Object.keys(params).filter((candidate) => candidate !== name);
    return [source.problem(path, `"${notAfter}" is not another parameter${didYouMean(notAfter, known)}`)];
  }
  const isOrdered = format === 'date' || type === 'integer' || type === 'number';
  if (isOrdered && other.type === type && other.format === format) return [];
  return [source.problem(path, 'notAfter requires two numbers or two dates of the same type')];
}

/**
 * Checks that the path contains exactly the path parameters. Parameters with misspelled keys are skipped, because it is
 * unknown whether they are path parameters.
 */
function checkPath(
  source: DefinitionSource,
  { path, params }: Pick<EndpointDefinition, 'path' | 'params'>,
  misspelled: ReadonlySet<string>,
): Problem[] {
  const declared = Object.keys(params).filter((name) => params[name]?.in === 'path' && !misspelled.has(name));
  if (path === undefined) {
    return declared.map((name) =>
      source.problem(['params', name, 'in'], 'the definition has no path, so it cannot have path parameters'),
    );
  }
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const repeated = named.find((name, index) => named.indexOf(name) !== index);
  if (repeated !== undefined) return [source.problem(['path'], `the path contains {${repeated}} twice`)];
  const missing = named
    .filter((name) => !declared.includes(name) && !misspelled.has(name))
    .map((name) => {
      const hint = Object.hasOwn(params, name) ? `: its "in" is query` : didYouMean(name, declared);
      return source.problem(
        ['path'],
        `{${name}} is not a declared path parameter${hint === '' ? ': declare it under params with in: path' : hint}`,
      );
    });
  if (missing.length > 0) return missing;
  return declared
    .filter((name) => !named.includes(name))
    .map((name) => source.problem(['params', name, 'in'], `the path does not contain {${name}}`, { got: path }));
}

/** Checks that the keywords of a parameter, or of the items of its list, fit its type and each other. */
function checkType(
  source: DefinitionSource,
  path: DefinitionPath,
  parameter: ParameterDefinition | ItemDefinition,
): Problem[] {
  const { type, enum: values, choices, pattern } = parameter;
  if (type === undefined) {
    return [source.problem(path, 'the key "type" is missing: it is optional only with a list in enum', { at: 'key' })];
  }
  // The key `enum` of the file is either a list or a query.
  const isWritten = (word: string) => Object.hasOwn(parameter, word) || (word === 'enum' && choices !== undefined);
  const wrongKeyword = ALL_KEYWORDS.find((word) => isWritten(word) && !KEYWORDS[type].includes(word));
  if (wrongKeyword !== undefined) {
    const message = `${wrongKeyword} does not apply to a parameter of type ${type}`;
    const known = KEYWORDS[type];
    const expected = known.length === 0 ? 'no such keyword' : `one of ${known.join(', ')}`;
    return [source.problem([...path, wrongKeyword], message, { at: 'key', expected })];
  }
  if (values !== undefined) {
    const others = ['format', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'];
    const redundant = others.find((word) => Object.hasOwn(parameter, word));
    if (redundant !== undefined)
      return [source.problem([...path, redundant], `${redundant} has no effect with enum: remove it`, { at: 'key' })];
    return checkEnum(source, [...path, 'enum'], type, values);
  }
  for (const [least, most] of BOUNDS) {
    const [from, to] = [Reflect.get(parameter, least), Reflect.get(parameter, most)];
    if (typeof from === 'number' && typeof to === 'number' && from > to) {
      const facts = { expected: `at most ${to}`, got: `${from}` };
      return [source.problem([...path, least], `${least} is greater than ${most}`, facts)];
    }
  }
  const wrongPattern = pattern === undefined ? [] : checkPattern(source, [...path, 'pattern'], pattern);
  if (wrongPattern.length > 0) return wrongPattern;
  return type === 'array' ? checkArray(source, path, parameter as ParameterDefinition) : [];
}

/** The JSON Schema keywords that apply to each type. */
const KEYWORDS: Readonly<Record<ParameterDefinition['type'], readonly string[]>> = {
  string: ['format', 'enum', 'minLength', 'maxLength', 'pattern'],
  integer: ['enum', 'minimum', 'maximum'],
  number: ['enum', 'minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
};
const ALL_KEYWORDS = [...new Set(Object.values(KEYWORDS).flat())];
const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

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
      const expected = type === 'string' ? 'text; quote values that YAML reads as another type' : `of type ${type}`;
      return [
        source.problem([...path, index], 'all values of an enum must have one type', {
          expected,
          got: describeValue(value),
        }),
      ];
    }
    if (values.indexOf(value) !== index) {
      return [source.problem([...path, index], 'the enum contains this value twice', { got: describeValue(value) })];
    }
  }
  return [];
}

/** Clients read the pattern as JSON Schema, so it must also be a valid JavaScript pattern. */
function checkPattern(source: DefinitionSource, path: DefinitionPath, pattern: string): Problem[] {
  if (errorMessageOf(() => new RegExp(pattern, 'u')) !== undefined) {
    return [source.problem(path, 'invalid regular expression', { got: pattern })];
  }
  const reason = errorMessageOf(() => compilePattern(pattern))?.replace(/^error parsing regexp: /, '');
  if (reason === undefined) return [];
  const expected = 'no look-around, no back-references and no repetitions beyond 1000';
  const message = `unsupported regular expression: ${reason}`;
  return [source.problem(path, message, { expected, got: pattern })];
}

/** Returns the message of the error that `work` throws. */
function errorMessageOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
