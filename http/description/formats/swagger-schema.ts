import type { JsonSchema } from '../../json-schema.js';

/**
 * Translates a schema of OpenAPI 3.1 to Swagger 2.0, which has fewer keywords. Keywords without an equivalent, such as
 * alternatives and unions of types, are omitted. So the result may accept more values than the original, but never
 * fewer.
 */
export function swaggerSchema(schema: JsonSchema): JsonSchema {
  const { type, enum: values, const: only, examples, anyOf, $ref, ...rest } = schema;
  // Swagger 2.0 ignores every keyword next to a reference.
  if (typeof $ref === 'string') return { $ref };
  const nullable = nullableAlternative(anyOf);
  if (nullable !== undefined) {
    // A reference allows no keyword next to it.
    const alternative = '$ref' in nullable ? { allOf: [nullable] } : nullable;
    return { ...swaggerSchema({ ...rest, ...alternative }), 'x-nullable': true };
  }
  const written: Record<string, unknown> = { ...translateType(type) };
  if (only !== undefined) written.enum = [only];
  if (Array.isArray(values)) written.enum = values.filter((value) => value !== null);
  if (Array.isArray(examples)) written.example = examples[0];
  for (const [keyword, value] of Object.entries(rest)) {
    if (COPIED.has(keyword)) written[keyword] = value;
    else if (keyword === 'properties') written[keyword] = mapValues(value as Schemas, swaggerSchema);
    else if (keyword === 'items') written[keyword] = swaggerSchema(value as JsonSchema);
    else if (keyword === 'additionalProperties') {
      written[keyword] = typeof value === 'boolean' ? value : swaggerSchema(value as JsonSchema);
    } else if (keyword === 'allOf') written[keyword] = (value as JsonSchema[]).map(swaggerSchema);
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
  'x-enum-varnames',
]);

/** Swagger 2.0 allows one type per schema and has no type `null`. */
function translateType(type: unknown): JsonSchema {
  if (type === undefined) return {};
  const types = [type].flat();
  const others = types.filter((name) => name !== 'null');
  return {
    ...(others.length === 1 ? { type: others[0] } : {}),
    ...(others.length < types.length ? { 'x-nullable': true } : {}),
  };
}

/** Returns the only alternative that is not `null`; undefined if the schema has no or other alternatives. */
function nullableAlternative(alternatives: unknown): JsonSchema | undefined {
  if (!Array.isArray(alternatives)) return undefined;
  const others = (alternatives as JsonSchema[]).filter(({ type }) => type !== 'null');
  return others.length === 1 && others.length < alternatives.length ? others[0] : undefined;
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
