import { didYouMean } from '../../../sql/did-you-mean.js';
import type { EndpointDefinition } from '../../definition/definition.js';
import type { DefinitionSource } from '../../definition/definition-source.js';
import type { Problem } from '../../definition/problem.js';

/**
 * Checks that the path contains all path parameters and no others. Parameters with misspelled keys are not checked,
 * because their location is not known.
 */
export function checkPath(
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
