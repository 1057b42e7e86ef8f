import type { ParameterDefinition, ParameterValue } from '../definition/definition.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { isOptional } from '../template/template-condition.js';
import { baseValues, validValues } from './cases.js';

export type RequestValues = Readonly<Record<string, ParameterValue>>;

/**
 * Right requests that an endpoint's parameters allow: all combinations of its enums, booleans and optional lists, each with the base
 * values of the rest and with every bound of every one of the rest; and the examples. Values of `base` replace the base values
 * of the parameters that have their names.
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
          const { [name]: _left, ...others } = values;
          const given = validValues(definition).map((value) => ({ ...values, [name]: value }));
          return isOptionalList(definition) ? [...given, others] : given;
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

/** Such a list has a text of its own where it is not given. */
function isOptionalList(definition: ParameterDefinition): boolean {
  return definition.type === 'array' && isOptional(definition);
}

function boundsOf([name, definition]: readonly [string, ParameterDefinition]): RequestValues[] {
  return validValues(definition).map((value) => ({ [name]: value }));
}
