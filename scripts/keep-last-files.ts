import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies files of the last build that are missing in the new build, because open pages in browsers, and a running service, still request
 * them. Files of even earlier builds are older than the `index.html` of the last build, and are not copied.
 */
export function keepLastFiles(last: string, next: string): void {
  const index = join(last, 'index.html');
  if (!existsSync(index)) return;
  const begin = statSync(index).mtimeMs;
  for (const name of readdirSync(join(last, 'assets'))) {
    const [from, to] = [join(last, 'assets', name), join(next, 'assets', name)];
    if (!existsSync(to) && statSync(from).mtimeMs >= begin) cpSync(from, to, { preserveTimestamps: true });
  }
}
