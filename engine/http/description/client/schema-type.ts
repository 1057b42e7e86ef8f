import type { JsonSchema } from '../../json-schema.js';
import { writeComment, writeLiteral } from './client-text.js';

/** Returns the TypeScript type for a schema without references. */
export function typeOf(schema: JsonSchema): string {
  const { const: constant, enum: values, anyOf, allOf, type } = schema;
  if (constant !== undefined) return writeLiteral(constant);
  if (Array.isArray(values)) return unionOf(values.map(writeLiteral));
  if (Array.isArray(anyOf)) return unionOf((anyOf as readonly JsonSchema[]).map(typeOf));
  if (Array.isArray(allOf) && allOf.length === 1) return typeOf(allOf[0] as JsonSchema);
  const types = Array.isArray(type) ? (type as readonly string[]) : [String(type)];
  return unionOf(types.map((one) => typeOfKind(one, schema)));
}

/** Writes an interface for the schema of an object. `types` overrides the types of members, by name. */
export function writeInterface(
  head: string,
  schema: JsonSchema,
  types: ReadonlyMap<string, string> = NO_TYPES,
): string {
  const { description } = schema as { readonly description?: string };
  const required = (schema.required ?? []) as readonly string[];
  const members = Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const comment = writeComment([member.description as string | undefined], { indent: '  ' });
    const mark = required.includes(name) ? '' : '?';
    return `${comment}  readonly ${propertyName(name)}${mark}: ${types.get(name) ?? typeOf(member)};\n`;
  });
  return `${writeComment([description])}export interface ${head} {\n${members.join('')}}\n`;
}

const NO_TYPES: ReadonlyMap<string, string> = new Map();

function typeOfKind(kind: string, schema: JsonSchema): string {
  switch (kind) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return kind;
    case 'array':
      return listOf(typeOf((schema.items ?? {}) as JsonSchema));
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType(schema: JsonSchema): string {
  const members = Object.entries(propertiesOf(schema));
  if (members.length === 0) {
    const { additionalProperties: values } = schema;
    return `Readonly<Record<string, ${typeof values === 'object' ? typeOf(values as JsonSchema) : 'unknown'}>>`;
  }
  const required = (schema.required ?? []) as readonly string[];
  const written = members.map(([name, member]) => {
    return `readonly ${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`;
  });
  return `{ ${written.join('; ')} }`;
}

/** Returns the type of a list whose items have this type. */
export function listOf(item: string): string {
  return /^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : writeLiteral(name);
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}
