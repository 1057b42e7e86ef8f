import { readFileSync } from 'node:fs';
import type { JsonSchema } from './operation.js';

/** The schema of a request body: `schemas/requests/<name>.schema.json`. Compiled files lie two folders below the package's. */
export function requestSchema(name: string): JsonSchema {
  const file = new URL(`../../schemas/requests/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as JsonSchema;
}
