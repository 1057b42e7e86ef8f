import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../json-schema.js';
import { PACKAGE_ROOT } from '../package-root.js';

/** Reads the schema of a request body from `schemas/requests/<name>.schema.json`. */
export function requestSchema(name: string): JsonSchema {
  return JSON.parse(readFileSync(`${PACKAGE_ROOT}schemas/requests/${name}.schema.json`, 'utf8')) as JsonSchema;
}
