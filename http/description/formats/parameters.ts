import { createParameterSchema, type ParameterDefinition, type ParameterValue } from '../../../engine/index.js';
import type { JsonSchema } from '../../json-schema.js';
import type { DescribedOperation } from '../description.js';

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
        orderRule(name, parameters),
      ),
    )
    .sort((a, b) => rankOf(a, positionInPath) - rankOf(b, positionInPath));
}

/** Returns the rule of `notAfter` as text, because JSON Schema has no keyword for such a rule. */
function orderRule(name: string, parameters: DescribedOperation['parameters']): string {
  const end = parameters[name]?.notAfter;
  const starts = Object.keys(parameters).filter((other) => parameters[other]?.notAfter === name);
  const rules = [
    ...(end === undefined ? [] : [` Must not be after \`${end}\` or, if that is omitted, its default.`]),
    ...starts.map((start) => ` Must not be before \`${start}\` or, if that is omitted, its default.`),
  ];
  return rules.join('');
}

function describeParameter(
  name: string,
  parameter: ParameterDefinition,
  schema: JsonSchema,
  order: string,
): DescribedParameter {
  const { in: place, required, default: value, description, example } = parameter;
  return {
    name,
    in: place,
    required: place === 'path' || (required === true && value === undefined),
    description: `${description}${characterRule(parameter)}${order}`,
    schema: { ...schema, ...(value === undefined ? {} : { default: value }) },
    ...(example === undefined ? {} : { example }),
  };
}

/**
 * Returns the rule that a text must not contain U+0000, which the service rejects in every text. The pattern of a
 * definition usually does not exclude this character, so the description states the rule.
 */
function characterRule({ pattern, items }: ParameterDefinition): string {
  const text = pattern ?? items?.pattern;
  return text === undefined || text.includes('\\x00') ? '' : ' Must not contain the character U+0000.';
}

function rankOf({ in: place, name }: DescribedParameter, positionInPath: (name: string) => number): number {
  return place === 'path' ? positionInPath(name) : Number.MAX_SAFE_INTEGER;
}
