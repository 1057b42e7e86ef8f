import { IMPLICIT_PATTERNS, type ItemDefinition, type ParameterDefinition } from '../../../engine/index.js';
import { readRules } from '../formats/parameter-rules.js';
import type { DocumentNode } from './document-node.js';

/** Reads a parameter of `/q/{name}`. `isInPath` states whether it is in the path of the endpoint. */
export function readParameter(parameter: DocumentNode, isInPath: boolean): ParameterDefinition {
  const schema = parameter.get('schema');
  const isRequired = parameter.get('required').flag();
  const value = schema.find('default')?.parameterValue();
  const example = parameter.find('example')?.parameterValue();
  return {
    in: isInPath ? 'path' : 'query',
    ...readValues(schema),
    ...(isRequired && !isInPath && { required: true }),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
    ...readRules(parameter.get('description').text()),
  };
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'array'] as const;
/** Integers have 64 bits in documents; definitions do not state it. */
const FORMATS = ['date', 'int64'] as const;
const NUMBERS = ['minimum', 'maximum', 'minLength', 'maxLength'] as const;
const LIST_NUMBERS = ['minItems', 'maxItems'] as const;

type Values = Omit<ParameterDefinition, 'in' | 'description'>;

function readValues(schema: DocumentNode): Values {
  const items = schema.find('items');
  return {
    ...readScalar(schema),
    ...readNumbers(schema, LIST_NUMBERS),
    ...(items !== undefined && { items: readScalar(items) }),
  };
}

function readScalar(schema: DocumentNode): ItemDefinition {
  const format = schema.find('format')?.oneOf(FORMATS);
  const values = schema
    .find('enum')
    ?.items()
    .map((value) => value.scalar());
  const pattern = (schema.find('pattern') ?? schema.find('x-pattern'))?.text();
  return {
    type: schema.get('type').oneOf(TYPES),
    ...(format === 'date' && { format }),
    ...(values !== undefined && { enum: values }),
    ...readNumbers(schema, NUMBERS),
    ...(pattern !== undefined && !IMPLICIT_PATTERNS.includes(pattern) && { pattern }),
  };
}

function readNumbers<Key extends string>(schema: DocumentNode, keys: readonly Key[]): Partial<Record<Key, number>> {
  const present = keys.flatMap((key) => {
    const value = schema.find(key)?.number();
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(present) as Partial<Record<Key, number>>;
}
