/** A JSON Schema as OpenAPI 3.1 has it; those of request bodies are in `schemas/requests/`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of an object with exactly these properties, all of them there. `title` is its name in generated clients. */
export function exactObject(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
