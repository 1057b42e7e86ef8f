import type { JsonSchema } from './operation.js';

/** The schema of an object with exactly these properties, all of them there. `title` is its name in generated clients. */
export function exactObject(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
