import { jsonSchema, type ParameterDefinition, type ParameterValue } from '../../engine/index.js';
import type { DescribedOperation } from './description.js';

export interface DescribedParameter {
  readonly name: string;
  readonly in: ParameterDefinition['in'];
  readonly required: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: ParameterValue;
}

/** The parameters of an operation, those of the path first as they stand there. */
export function describedParameters({ path, parameters }: DescribedOperation): DescribedParameter[] {
  const place = (name: string) => path.indexOf(`{${name}}`);
  return Object.entries(parameters)
    .map(([name, parameter]) => describe(name, parameter))
    .sort((a, b) => rank(a, place) - rank(b, place));
}

function describe(name: string, parameter: ParameterDefinition): DescribedParameter {
  const { in: place, required, default: value, description, notAfter, example } = parameter;
  return {
    name,
    in: place,
    required: place === 'path' || (required === true && value === undefined),
    description: notAfter === undefined ? description : `${description} Not after \`${notAfter}\`.`,
    schema: { ...jsonSchema(parameter), ...(value === undefined ? {} : { default: value }) },
    ...(example === undefined ? {} : { example }),
  };
}

function rank({ in: place, name }: DescribedParameter, placeOf: (name: string) => number): number {
  return place === 'path' ? placeOf(name) : Number.MAX_SAFE_INTEGER;
}
