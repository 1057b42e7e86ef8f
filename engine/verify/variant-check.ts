import type { ParameterValue } from '../definition/definition.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { Engine } from '../run/engine.js';
import { type Failure, placeOf } from './checks/check-list.js';
import { variantValues } from './variant-values.js';

/** Checks that the database can plan the variant with these choices. `base` has the values of the other parameters. */
export async function explainVariant(
  engine: Engine,
  endpoint: Endpoint,
  base: Readonly<Record<string, ParameterValue>>,
  choices: Readonly<Record<string, ParameterValue | null>>,
): Promise<Failure | undefined> {
  const values = variantValues(endpoint, base, choices);
  if ('missing' in values) {
    const place = placeOf(endpoint.problem(['params', values.missing], '', { at: 'key' }));
    return { expected: `an example of ${values.missing}`, got: 'none', place };
  }
  const plan = await engine.explain(endpoint, values.raw);
  return plan.rows.length > 0 ? undefined : { expected: 'a plan', got: 'nothing' };
}
