import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns a hash of the compiled files that determine the bytes of answers. Another build of the program can answer the same request
 * differently, also if its version number is the same, so builds must not share stored answers.
 */
export function hashProgram(): string {
  const hash = createHash('sha256');
  for (const layer of LAYERS) {
    for (const file of readdirSync(join(COMPILED, layer), { recursive: true, encoding: 'utf8' }).sort()) {
      if (file.endsWith('.js')) hash.update(`${layer}/${file}\n`).update(readFileSync(join(COMPILED, layer, file)));
    }
  }
  return hash.digest('base64url');
}

const LAYERS = ['sql', 'engine', 'databases', 'warehouse', 'http'];
const COMPILED = fileURLToPath(new URL('../..', import.meta.url));
