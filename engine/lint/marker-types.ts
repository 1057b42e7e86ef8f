import type { ValueType } from '../../sql/analysis/table-facts.js';
import type { MarkerTypes } from '../../sql/analysis/value-type.js';
import type { ItemDefinition, ParameterDefinition } from '../definition/definition.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import type { TracedText } from '../query/traced-text.js';
import type { Output } from '../template/template-output.js';

/** Returns the types of the values that the markers of a text bind. */
export function markerTypes({ parameters }: Endpoint, { markers }: TracedText): MarkerTypes {
  const types = new Map(markers.map(({ name, output }) => [name, typeOfOutput(output, parameters)]));
  return (name) => types.get(name) ?? 'unknown';
}

function typeOfOutput(
  { parameter, maxItems, sqlType, clock }: Output,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): ValueType {
  if (clock !== undefined) return sqlType === undefined ? 'text' : sqlType === 'DATE' ? 'date' : 'datetime';
  const definition = parameters[parameter];
  if (definition === undefined) return 'unknown';
  if (definition.type !== 'array') return typeOfParameter(definition);
  // The filter `size` makes a number of a list.
  return maxItems === undefined ? 'number' : typeOfParameter(definition.items);
}

function typeOfParameter(definition: ParameterDefinition | ItemDefinition | undefined): ValueType {
  if (definition === undefined) return 'unknown';
  const { type, format, enum: values } = definition;
  if (type !== 'string') return 'number';
  if (format === 'date') return 'date';
  // Databases convert texts such as '1' or '2024-01-01' without loss.
  return values?.every((value) => /^[\d.-]+$/.test(String(value))) === true ? 'unknown' : 'text';
}
