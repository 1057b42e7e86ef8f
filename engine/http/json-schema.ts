/** A JSON Schema in the dialect of OpenAPI 3.1. The schemas of request bodies are in `schemas/requests/`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of an object with exactly these properties, all required. Generated clients name the type `title`. */
export function exactObject(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

/** Like `exactObject`, or null. The references of older description formats cannot add null to a named schema. */
export function exactObjectOrNull(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...exactObject(title, properties), type: ['object', 'null'] };
}

/** The schema of one of these texts, or null. Some generators of clients reject an `enum` that contains null. */
export function enumOrNull(values: readonly string[]): JsonSchema {
  return { anyOf: [{ type: 'string', enum: values }, { type: 'null' }] };
}
