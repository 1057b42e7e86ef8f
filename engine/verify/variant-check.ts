import type { ParameterValue } from '../definition/definition.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { rawFromValues } from '../parameters/parameter-values.js';
import type { Engine } from '../run/engine.js';
import { type Failure, placeOf } from './checks/check-list.js';

/** Checks that the database can plan the variant with these choices. `base` has the values of the other parameters. */
export async function explainVariant(
  engine: Engine,
  endpoint: Endpoint,
  base: Readonly<Record<string, ParameterValue>>,
  choices: Readonly<Record<string, ParameterValue | null>>,
): Promise<Failure | undefined> {
  const values = { ...base };
  for (const [name, value] of Object.entries(choices)) {
    const isList = endpoint.parameters[name]?.type === 'array';
    if (isList && value !== null && values[name] === undefined) {
      const place = placeOf(endpoint.problem(['params', name], '', { at: 'key' }));
      return { expected: `an example of ${name}`, got: 'none', place };
    }
    if (value === null) delete values[name];
    else if (!isList) values[name] = value;
  }
  const plan = await engine.explain(endpoint, rawFromValues(endpoint.parameters, values));
  return plan.rows.length > 0 ? undefined : { expected: 'a plan', got: 'nothing' };
}
