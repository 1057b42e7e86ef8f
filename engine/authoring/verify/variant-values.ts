import type { ParameterValue } from '../../definitions/definition.js';
import { type Endpoint, trialRequest } from '../../definitions/endpoint/endpoint.js';
import type { RawParameters } from '../../definitions/parameters/parameter-values.js';

/**
 * Returns the parameters of a request that selects a variant: its choices, and the base values for all other parameters.
 * `missing` is the name of a list without a base value.
 */
export function variantValues(
  endpoint: Endpoint,
  base: Readonly<Record<string, ParameterValue>>,
  choices: Readonly<Record<string, ParameterValue | null>>,
): { readonly raw: RawParameters } | { readonly missing: string } {
  const values = { ...base };
  const { parameters } = endpoint;
  for (const [name, value] of Object.entries(choices)) {
    const isList = parameters[name]?.type === 'array';
    if (isList && value !== null && values[name] === undefined) return { missing: name };
    if (value === null) delete values[name];
    else if (!isList) values[name] = value;
  }
  return { raw: trialRequest(endpoint, values) };
}
