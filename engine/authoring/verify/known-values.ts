import type { ParameterValue } from '../../definitions/definition.js';
import { type Endpoint, trialRequest } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';
import { baseValues } from './cases.js';

/**
 * Converts texts to values in the same way as the parameters of a request. Ignores texts whose names are not parameters
 * of the endpoint. Throws `bad_parameter`.
 */
export function readKnownValues(endpoint: Endpoint, texts: RawParameters['query']): Record<string, ParameterValue> {
  const known = Object.entries(texts).filter(([name]) => Object.hasOwn(endpoint.parameters, name));
  // The base values make the request complete: they are the values of all parameters that `texts` does not contain.
  const { path, query, caller } = trialRequest(endpoint, baseValues(endpoint));
  const values = endpoint.readParameters({
    path: {},
    query: { ...path, ...query, ...Object.fromEntries(known) },
    caller,
  });
  return Object.fromEntries(
    known.flatMap(([name]) => {
      const value = values[name] ?? null;
      return value === null ? [] : [[name, value] as const];
    }),
  );
}
