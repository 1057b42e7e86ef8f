import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Removes compiled files whose source was deleted. The compiler does not remove them, so deleted tests would still run. Usage:
// remove-stale.js <folder of the sources> <folder of the compiled files>

const [root = '.', out = 'dist'] = process.argv.slice(2);
for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  const [, path = '', kind = ''] = /^(.*?)\.(?:([cm]?)js(?:\.map)?|d\.ts)$/.exec(file) ?? [];
  // The console is built by another program, first in a temporary folder next to the last build.
  if (/^web(?:-\w+)?\//.test(path)) continue;
  if (path !== '' && !existsSync(join(root, `${path}.${kind}ts`))) rmSync(join(out, file));
}
