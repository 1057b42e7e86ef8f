import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseHeldError } from './open-error.js';

/** The files that this process has open. */
const openFiles = new Set<string>();

/**
 * Records that this process opens a file, and returns its canonical path. Throws `DatabaseHeldError` if the process has it open. The
 * lock of DuckDB belongs to the process, so it does not prevent the process from opening a file twice.
 */
export function claimFile(path: string): string {
  const file = canonicalPath(path);
  if (openFiles.has(file)) throw new DatabaseHeldError(file, process.pid, 'this process');
  openFiles.add(file);
  return file;
}

/** Records that the file of `claimFile` is closed. Other paths have no effect. */
export function releaseFile(file: string): void {
  openFiles.delete(file);
}

/** The absolute path without symbolic links, so that each file has one name. The file does not need to exist. */
function canonicalPath(file: string): string {
  const path = resolve(file);
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}
