import type { JsonSchema } from '../../json-schema.js';

/** The schema features of a format that is older than OpenAPI 3.1. */
export interface OlderFormat {
  /** The keyword for values that can be null. The keyword is allowed only together with a type. */
  readonly nullable: string;
  readonly hasAlternatives: boolean;
}

export const OPENAPI_3_0: OlderFormat = { nullable: 'nullable', hasAlternatives: true };
export const SWAGGER_2_0: OlderFormat = { nullable: 'x-nullable', hasAlternatives: false };

/**
 * Translates a schema of OpenAPI 3.1 to an older format, which allows one type per schema, has no type `null` and has
 * fewer keywords. Keywords without an equivalent are omitted, and in Swagger 2.0 also alternatives. So the result may
 * accept more values than the original, but never fewer.
 */
export function olderSchema(schema: JsonSchema, format: OlderFormat): JsonSchema {
  const translate = (inner: JsonSchema) => olderSchema(inner, format);
  const { type, enum: values, const: only, examples, anyOf, $ref, ...rest } = schema;
  // These formats ignore every keyword next to a reference.
  if (typeof $ref === 'string') return { $ref };
  const nullable = nullableAlternative(anyOf);
  if (nullable !== undefined) {
    const { enum: others, ...written } = translate({ ...rest, ...nullable });
    return { ...written, ...(Array.isArray(others) && { enum: [...others, null] }), [format.nullable]: true };
  }
  const written: Record<string, unknown> = { ...translateType(type, format) };
  if (only !== undefined) written.enum = [only];
  if (Array.isArray(values)) written.enum = values;
  if (Array.isArray(examples)) written.example = examples[0];
  for (const [keyword, value] of Object.entries(rest)) {
    if (COPIED.has(keyword)) written[keyword] = value;
    else if (keyword === 'properties') written[keyword] = mapValues(value as Schemas, translate);
    else if (keyword === 'items') written[keyword] = translate(value as JsonSchema);
    else if (keyword === 'additionalProperties') {
      written[keyword] = typeof value === 'boolean' ? value : translate(value as JsonSchema);
    } else if (keyword === 'allOf') written[keyword] = (value as JsonSchema[]).map(translate);
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
  'x-pattern',
]);

function translateType(type: unknown, { nullable, hasAlternatives }: OlderFormat): JsonSchema {
  if (type === undefined) return {};
  const types = [type].flat();
  const others = types.filter((name) => name !== 'null');
  const orNull = others.length < types.length ? { [nullable]: true } : {};
  if (others.length === 1) return { type: others[0], ...orNull };
  if (!hasAlternatives) return {};
  return {
    anyOf: others.map((name) => ({ type: name, ...(name === 'integer' && { format: 'int64' }), ...orNull })),
  };
}

/** Returns the alternative next to `null`; undefined if the alternatives are not exactly one schema and `null`. */
function nullableAlternative(alternatives: unknown): JsonSchema | undefined {
  if (!Array.isArray(alternatives)) return undefined;
  const others = (alternatives as JsonSchema[]).filter(({ type }) => type !== 'null');
  return others.length === 1 && others.length < alternatives.length ? others[0] : undefined;
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
