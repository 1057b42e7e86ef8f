import { relative } from 'node:path';

/** Returns a path relative to the folder of the caller if the file is below this folder. */
export function shortPath(cwd: string, file: string): string {
  const path = relative(cwd, file);
  return path.startsWith('..') ? file : path;
}
