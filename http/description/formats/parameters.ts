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

/** The parameters of an operation, those of the path first as they stand there. */
export function describedParameters({ path, parameters, schemas = {} }: DescribedOperation): DescribedParameter[] {
  const place = (name: string) => path.indexOf(`{${name}}`);
  return Object.entries(parameters)
    .map(([name, parameter]) =>
      describe(name, parameter, schemas[name] ?? createParameterSchema(parameter), orderOf(name, parameters)),
    )
    .sort((a, b) => rank(a, place) - rank(b, place));
}

/** The order of parameters, which schemas have no word for. */
function orderOf(name: string, parameters: DescribedOperation['parameters']): string {
  const end = parameters[name]?.notAfter;
  const starts = Object.keys(parameters).filter((other) => parameters[other]?.notAfter === name);
  const words = [
    ...(end === undefined ? [] : [` Must not be after \`${end}\`, nor after its default where that is left out.`]),
    ...starts.map((start) => ` Must not be before \`${start}\`, nor before its default where that is left out.`),
  ];
  return words.join('');
}

function describe(name: string, parameter: ParameterDefinition, schema: JsonSchema, order: string): DescribedParameter {
  const { in: place, required, default: value, description, example } = parameter;
  return {
    name,
    in: place,
    required: place === 'path' || (required === true && value === undefined),
    description: `${description}${unstorable(parameter)}${order}`,
    schema: { ...schema, ...(value === undefined ? {} : { default: value }) },
    ...(example === undefined ? {} : { example }),
  };
}

/** A pattern of a definition does not say it. */
function unstorable({ pattern, items }: ParameterDefinition): string {
  const text = pattern ?? items?.pattern;
  return text === undefined || text.includes('\\x00') ? '' : ' Without the character U+0000.';
}

function rank({ in: place, name }: DescribedParameter, placeOf: (name: string) => number): number {
  return place === 'path' ? placeOf(name) : Number.MAX_SAFE_INTEGER;
}
