import type { ParameterDefinition, ParameterValue } from '../definition/definition.js';
import type { Endpoint } from '../endpoint.js';
import { baseValues, rightValues } from './cases.js';

export type RequestValues = Readonly<Record<string, ParameterValue>>;

/**
 * Right requests that an endpoint's parameters allow: all combinations of its enums and booleans, each with the base
 * values of the rest and with every bound of every one of the rest; and the examples. `base` overrides the base values.
 */
export function allRequests(endpoint: Endpoint, base: RequestValues = {}): RequestValues[] {
  const start = { ...baseValues(endpoint), ...base };
  const parameters = Object.entries(endpoint.parameters);
  const bounds = parameters.filter(([, definition]) => !isChoice(definition)).flatMap(boundsOf);
  const combined = parameters
    .filter(([, definition]) => isChoice(definition))
    .reduce<RequestValues[]>(
      (requests, [name, definition]) =>
        requests.flatMap((values) => rightValues(definition).map((value) => ({ ...values, [name]: value }))),
      [start],
    );
  return [
    ...combined.flatMap((values) => [values, ...bounds.map((bound) => ({ ...values, ...bound }))]),
    ...endpoint.definition.examples.map(({ params }) => params),
  ];
}

function isChoice({ type, enum: allowed }: ParameterDefinition): boolean {
  return allowed !== undefined || type === 'boolean';
}

function boundsOf([name, definition]: readonly [string, ParameterDefinition]): RequestValues[] {
  return rightValues(definition).map((value) => ({ [name]: value }));
}
