import type { ItemDefinition, ParameterDefinition } from '../definition.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import { describeValue } from '../definition-source.js';
import { compilePattern } from '../parameters/parameter-schema.js';
import type { Problem } from '../problem.js';

/** Checks that the keywords of a parameter, or of the items of its list, fit its type and each other. */
export function checkType(
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
