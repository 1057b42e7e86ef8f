import type { ParameterDefinition, ParameterValue } from '../definition/definition.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { isOptional } from '../template/template-condition.js';
import { baseValues, validValues } from './cases.js';

export type RequestValues = Readonly<Record<string, ParameterValue>>;

/**
 * Generates valid requests: the examples, and all combinations of enums, booleans and optional lists. Each combination appears with
 * the base values of the other parameters, and with every bound of each of them. `base` replaces base values by name.
 */
export function generateRequests(endpoint: Endpoint, base: RequestValues = {}): RequestValues[] {
  const parameters = Object.entries(endpoint.parameters);
  const known = Object.entries(base).filter(([name]) => name in endpoint.parameters);
  const start = { ...baseValues(endpoint), ...Object.fromEntries(known) };
  const bounds = parameters.filter(([, definition]) => !isChoice(definition)).flatMap(boundsOf);
  const combined = parameters
    .filter(([, definition]) => isChoice(definition))
    .reduce<RequestValues[]>(
      (requests, [name, definition]) =>
        requests.flatMap((values) => {
          const { [name]: _removed, ...others } = values;
          const present = validValues(definition).map((value) => ({ ...values, [name]: value }));
          return isOptionalList(definition) ? [...present, others] : present;
        }),
      [start],
    );
  return [
    ...combined.flatMap((values) => [values, ...bounds.map((bound) => ({ ...values, ...bound }))]),
    ...endpoint.definition.examples.map(({ params }) => params),
  ];
}

function isChoice(definition: ParameterDefinition): boolean {
  return definition.enum !== undefined || definition.type === 'boolean' || isOptionalList(definition);
}

/** An absent optional list selects a different variant. */
function isOptionalList(definition: ParameterDefinition): boolean {
  return definition.type === 'array' && isOptional(definition);
}

function boundsOf([name, definition]: readonly [string, ParameterDefinition]): RequestValues[] {
  return validValues(definition).map((value) => ({ [name]: value }));
}
