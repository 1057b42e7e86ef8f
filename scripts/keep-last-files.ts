import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies the files of the last build that the new build does not have. Pages that are open in browsers, and a service that runs
 * during the build, still request them. Files of earlier builds are older than the `index.html` of the last build and not copied.
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
