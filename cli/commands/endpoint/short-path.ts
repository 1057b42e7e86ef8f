import { relative } from 'node:path';

/** Returns the path of a file relative to the working directory if the file is below it; otherwise the full path. */
export function shortPath(cwd: string, file: string): string {
  const path = relative(cwd, file);
  return path.startsWith('..') ? file : path;
}
