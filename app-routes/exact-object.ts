import type { JsonSchema } from './operation.js';

/** The schema of an object with exactly these properties, all of them there. */
export function exactObject(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
