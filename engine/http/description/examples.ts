import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../package-root.js';
import type { Example } from './description.js';

/** Answers recorded from the demo data, by the id of their operation. */
export type Examples = Readonly<Record<string, readonly Example[]>>;

export const EXAMPLES_FILE = `${PACKAGE_ROOT}schemas/examples.json`;

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}
