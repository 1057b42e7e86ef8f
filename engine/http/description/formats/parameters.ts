import type { ParameterDefinition, ParameterValue } from '../../../definitions/definition.js';
import { createParameterSchema } from '../../../definitions/parameters/parameter-schema.js';
import type { JsonSchema } from '../../json-schema.js';
import type { DescribedOperation } from '../description.js';
import { describeRules } from './parameter-rules.js';

export interface DescribedParameter {
  readonly name: string;
  readonly in: ParameterDefinition['in'];
  readonly required: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: ParameterValue;
}

/**
 * Describes the parameters of an operation: first the path parameters in the order of the path, then the query
 * parameters.
 */
export function describeParameters({
  path,
  parameters,
  schemas = {},
}: Pick<DescribedOperation, 'path' | 'parameters' | 'schemas'>): DescribedParameter[] {
  const positionInPath = (name: string) => path.indexOf(`{${name}}`);
  return Object.entries(parameters)
    .map(([name, parameter]) =>
      describeParameter(
        name,
        parameter,
        schemas[name] ?? createParameterSchema(parameter),
        describeRules(name, parameters),
      ),
    )
    .sort((a, b) => rankOf(a, positionInPath) - rankOf(b, positionInPath));
}

function describeParameter(
  name: string,
  parameter: ParameterDefinition,
  schema: JsonSchema,
  description: string,
): DescribedParameter {
  const { in: place, required, default: value, example } = parameter;
  return {
    name,
    in: place,
    required: place === 'path' || (required === true && value === undefined),
    description,
    schema: { ...schema, ...(value === undefined ? {} : { default: value }) },
    ...(example === undefined ? {} : { example }),
  };
}

function rankOf({ in: place, name }: DescribedParameter, positionInPath: (name: string) => number): number {
  return place === 'path' ? positionInPath(name) : Number.MAX_SAFE_INTEGER;
}
