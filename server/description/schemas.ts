import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../app-routes/operation.js';
import { PACKAGE_ROOT } from '../package-root.js';

export const ENVELOPE = schema('envelope');
export const PROBLEM = schema('problem');

function schema(name: string): JsonSchema {
  return JSON.parse(readFileSync(`${PACKAGE_ROOT}schemas/${name}.schema.json`, 'utf8')) as JsonSchema;
}
