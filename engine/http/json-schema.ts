import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.js';

/** A JSON Schema in the dialect of OpenAPI 3.1. The schemas of request bodies are in `schemas/requests/`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the schema of an object with exactly these properties, all required. Generated clients name the type `title`. */
export function exactObject(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

/** Like `exactObject`, but also allows null. Null is part of the schema, because older description formats cannot add it to a reference. */
export function exactObjectOrNull(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...exactObject(title, properties), type: ['object', 'null'] };
}

/** Returns the schema of one of these texts, or null. `anyOf` is used because some client generators reject an `enum` with null. */
export function enumOrNull(values: readonly string[]): JsonSchema {
  return { anyOf: [{ type: 'string', enum: values }, { type: 'null' }] };
}

/** Reads a schema that the package contains: `envelope` or `problem`. */
export function readSchema(name: 'envelope' | 'problem'): JsonSchema {
  return JSON.parse(readFileSync(`${PACKAGE_ROOT}schemas/${name}.schema.json`, 'utf8')) as JsonSchema;
}
