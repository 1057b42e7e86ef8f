import type { ParameterDefinition, ParameterValue } from '../../../definitions/definition.js';
import { createParameterSchema } from '../../../definitions/parameters/parameter-values.js';
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

/**
 * Returns the description of a parameter, with rules for which JSON Schema has no keyword: the order of two parameters,
 * and that a text must not contain U+0000, which patterns usually do not exclude.
 */
function describeRules(name: string, parameters: DescribedOperation['parameters']): string {
  const parameter = parameters[name];
  if (parameter === undefined) return '';
  const { description, notAfter } = parameter;
  const starts = Object.keys(parameters).filter((other) => parameters[other]?.notAfter === name);
  return [
    description,
    hasCharacterRule(parameter) ? CHARACTER_RULE : '',
    notAfter === undefined ? '' : ` Must not be after \`${notAfter}\`${OR_DEFAULT}`,
    ...starts.map((start) => ` Must not be before \`${start}\`${OR_DEFAULT}`),
  ].join('');
}

/** Parses a text that `describeRules` wrote. */
export function readRules(text: string): Pick<ParameterDefinition, 'description' | 'notAfter'> {
  const notAfter = ORDER_RULE.exec(text)?.[1];
  const written = text.replace(ORDER_RULE, '').replace(START_RULES, '').replace(CHARACTER_RULE, '');
  const sample = written.indexOf(SAMPLE);
  const description = sample >= 0 && written.endsWith('.') ? written.slice(0, sample) : written;
  return { description, ...(notAfter !== undefined && { notAfter }) };
}

function hasCharacterRule({ pattern, items }: ParameterDefinition): boolean {
  const text = pattern ?? items?.pattern;
  return text !== undefined && !text.includes('\\x00');
}

const CHARACTER_RULE = ' Must not contain the character U+0000.';
/** The start of the rule with a sample of allowed values from a query. The sample depends on the data. */
const SAMPLE = ' Must be one of ';
const OR_DEFAULT = ' or, if that is omitted, its default.';
const ORDER_RULE = / Must not be after `(\w+)` or, if that is omitted, its default\./;
const START_RULES = / Must not be before `\w+` or, if that is omitted, its default\./g;
