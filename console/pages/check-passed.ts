import {
  type DefinitionPath,
  type DefinitionSource,
  describeValue,
  expectedOf,
  type ItemDefinition,
  type ParameterDefinition,
  type ParameterValue,
  type Problem,
  validatorOf,
} from '../../engine/index.js';

export interface PassedParts {
  readonly source: DefinitionSource;
  readonly path: DefinitionPath;
  /** The name of the parameter of the page. */
  readonly place: string;
  readonly declared: ParameterDefinition;
  /** The parameter of the definition that gets its values. */
  readonly parameter: ParameterDefinition;
}

/**
 * Checks whether a parameter of a definition accepts the values of a parameter of the page. Their types must fit, and the definition
 * must accept the known values: the choices, the default and the example. The definition checks all other values when it answers.
 */
export function checkPassed({ source, path, place, declared, parameter }: PassedParts): Problem[] {
  if (!fitsType(declared, parameter)) {
    const facts = { expected: describeType(parameter), got: describeType(declared) };
    return [source.problem(path, `the parameter {${place}} of the page has another type`, facts)];
  }
  const isValid = validatorOf(parameter);
  const wrong = knownValues(declared).find((value) => !isValid(asType(value, parameter)));
  if (wrong !== undefined) {
    const message = `the definition rejects a value that {${place}} can have`;
    return [source.problem(path, message, { expected: expectedOf(parameter), got: describeKnown(wrong) })];
  }
  const canBeAbsent = declared.in === 'query' && declared.required !== true && declared.default === undefined;
  const isNeeded = parameter.in === 'path' || parameter.required === true;
  if (!canBeAbsent || !isNeeded) return [];
  const message = `{${place}} can be absent, but the definition requires this parameter: add a default or "required: true"`;
  return [source.problem(path, message)];
}

/** Whether values of the declared type can be values of the other type. One value can be a list. */
function fitsType(declared: ParameterDefinition | ItemDefinition, parameter: ParameterDefinition | ItemDefinition) {
  const items = 'items' in parameter ? parameter.items : undefined;
  const ownItems = 'items' in declared ? declared.items : undefined;
  if (parameter.type === 'array') return fitsScalar(ownItems ?? declared, items ?? parameter);
  return fitsScalar(declared, parameter);
}

function fitsScalar({ type, format }: ItemDefinition, other: ItemDefinition): boolean {
  if (type === 'integer' && other.type === 'number') return true;
  // Every value is text in a URL.
  if (other.type === 'string' && other.format === undefined && type !== 'array') return true;
  return type === other.type && (other.format === undefined || format === other.format);
}

function describeType({ type, format, items }: ParameterDefinition): string {
  if (type === 'array') return `a list of ${items?.type ?? 'values'}`;
  return format ?? type;
}

function knownValues({ enum: choices = [], items, default: value, example }: ParameterDefinition): ParameterValue[] {
  const listed = [...choices, ...(items?.enum ?? []).map((item) => [item])];
  return [...listed, ...[value, example].filter((one) => one !== undefined)];
}

function asType(value: ParameterValue, { type }: ParameterDefinition): ParameterValue {
  if (type === 'array') return Array.isArray(value) ? value : [value as string | number];
  return type === 'string' ? String(value) : value;
}

function describeKnown(value: ParameterValue): string {
  return Array.isArray(value) ? value.map(describeValue).join(', ') : describeValue(value);
}
