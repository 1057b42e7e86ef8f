import { didYouMean } from '../../sql/did-you-mean.js';
import type { EndpointDefinition, ExampleDefinition, ParameterDefinition } from '../definition.js';
import type { DefinitionPath, DefinitionSource } from '../definition-source.js';
import { allParameters } from '../endpoint/endpoint.js';
import type { Problem } from '../problem.js';
import { checkValue } from './parameter-check.js';

/** The maximum number of reported problems in the rows of one request, because usually all rows have the same mistake. */
const MAX_PROBLEMS = 20;

/** Checks the examples of a definition. Values of the parameters in `invalid` are not checked. */
export function checkExamples(
  source: DefinitionSource,
  definition: EndpointDefinition,
  invalid: ReadonlySet<string>,
): Problem[] {
  const parameters = allParameters(definition);
  const columns = definition.columns.map(({ col }) => col);
  return definition.examples.flatMap((example, index) =>
    checkRequest(source, ['examples', index], example, { word: 'example', parameters, columns, invalid }),
  );
}

/** The rules for the request of an example or a fixture. */
export interface RequestRules {
  /** The kind of the request in messages. */
  readonly word: 'example' | 'fixture';
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  /** The declared columns. */
  readonly columns: readonly string[];
  /** Parameters whose values are not checked. */
  readonly invalid: ReadonlySet<string>;
}

/** Checks the parameters and the expected rows of an example or a fixture. */
export function checkRequest(
  source: DefinitionSource,
  path: DefinitionPath,
  request: Request,
  rules: RequestRules,
): Problem[] {
  const hasUnknownName = Object.keys(request.params).some((name) => !Object.hasOwn(rules.parameters, name));
  return [
    ...checkValues(source, path, request, rules),
    // Missing parameters are not reported if a name is unknown, because it may be the misspelled name of a missing parameter.
    ...(hasUnknownName ? [] : checkMissing(source, path, request, rules)),
    ...checkRows(source, path, request, rules.columns),
  ];
}

type Request = Pick<ExampleDefinition, 'params' | 'rows'>;

function checkValues(
  source: DefinitionSource,
  path: DefinitionPath,
  { params }: Request,
  { parameters, invalid }: RequestRules,
): Problem[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (invalid.has(name)) return [];
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const place = [...path, 'params', name];
    if (parameter !== undefined) return checkValue(source, place, parameter, value);
    const hint = didYouMean(name, Object.keys(parameters));
    return [source.problem(place, `"${name}" is not a declared parameter${hint}`, { at: 'key' })];
  });
}

function checkMissing(
  source: DefinitionSource,
  path: DefinitionPath,
  { params }: Request,
  { word, parameters, invalid }: RequestRules,
): Problem[] {
  return Object.entries(parameters)
    .filter(([name, { required, in: location }]) => (required || location === 'path') && !Object.hasOwn(params, name))
    .filter(([name]) => !invalid.has(name))
    .map(([name]) => {
      const message = `the ${word} has no value for the required parameter "${name}"`;
      return source.problem([...path, 'params'], message, { at: 'key' });
    });
}

function checkRows(
  source: DefinitionSource,
  path: DefinitionPath,
  { rows = [] }: Request,
  columns: readonly string[],
): Problem[] {
  const unknown = rows.flatMap((row, index) =>
    Object.keys(row)
      .filter((name) => !columns.includes(name))
      .map((name) => ({ index, name })),
  );
  return unknown.slice(0, MAX_PROBLEMS).map(({ index, name }) => {
    const message = `"${name}" is not a declared column${didYouMean(name, columns)}`;
    return source.problem([...path, 'rows', index, name], message, { at: 'key' });
  });
}
