import type { JsonSchema } from '../../json-schema.js';
import { enumNames } from '../names.js';

/**
 * A schema of OpenAPI 3.1 in the fewer words of Swagger 2.0. What cannot be said is left out, so that it allows more and
 * never less: alternatives, and types that are one of several.
 */
export function swaggerSchema(schema: JsonSchema): JsonSchema {
  const { type, enum: values, const: only, examples, $ref, ...rest } = schema;
  // Beside a reference nothing else counts in Swagger 2.0.
  if (typeof $ref === 'string') return { $ref };
  const written: Record<string, unknown> = { ...typeWords(type) };
  if (only !== undefined) written.enum = [only];
  if (Array.isArray(values)) written.enum = values.filter((value) => value !== null);
  if (written.enum !== undefined) written['x-enum-varnames'] = enumNames(written.enum as unknown[]);
  if (Array.isArray(examples)) written.example = examples[0];
  for (const [word, value] of Object.entries(rest)) {
    if (COPIED.has(word)) written[word] = value;
    else if (word === 'properties') written[word] = mapValues(value as Schemas, swaggerSchema);
    else if (word === 'items') written[word] = swaggerSchema(value as JsonSchema);
    else if (word === 'additionalProperties') {
      written[word] = typeof value === 'boolean' ? value : swaggerSchema(value as JsonSchema);
    } else if (word === 'allOf') written[word] = (value as JsonSchema[]).map(swaggerSchema);
  }
  return written;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

const COPIED: ReadonlySet<string> = new Set([
  'title',
  'description',
  'format',
  'default',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
]);

/** Swagger 2.0 has one type, and no null. */
function typeWords(type: unknown): JsonSchema {
  if (type === undefined) return {};
  const types = [type].flat();
  const others = types.filter((name) => name !== 'null');
  return {
    ...(others.length === 1 ? { type: others[0] } : {}),
    ...(others.length < types.length ? { 'x-nullable': true } : {}),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
