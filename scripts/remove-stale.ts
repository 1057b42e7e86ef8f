import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Removes what was compiled of sources that are gone: the compiler leaves it, and its tests would go on running.
// remove-stale.js <folder of the sources> <folder of what was compiled>

const [root = '.', out = 'dist'] = process.argv.slice(2);
for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  const [, path = '', kind = ''] = /^(.*)\.([cm]?)js(?:\.map)?$/.exec(file) ?? [];
  if (path !== '' && !existsSync(join(root, `${path}.${kind}ts`))) rmSync(join(out, file));
}
