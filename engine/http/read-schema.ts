import { readFileSync } from 'node:fs';
import type { JsonSchema } from './json-schema.js';
import { PACKAGE_ROOT } from './package-root.js';

/** Reads a schema that the package contains: `envelope` or `problem`. */
export function readSchema(name: 'envelope' | 'problem'): JsonSchema {
  return JSON.parse(readFileSync(`${PACKAGE_ROOT}schemas/${name}.schema.json`, 'utf8')) as JsonSchema;
}
