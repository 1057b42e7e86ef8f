import { existsSync, renameSync } from 'node:fs';

/**
 * Replaces a folder by a complete new one, and moves the old one to a temporary name. If the process ends in the middle, the folder is
 * either complete or missing.
 */
export function replaceFolder(folder: string, complete: string): void {
  if (existsSync(folder)) renameSync(folder, `${complete}.old`);
  renameSync(complete, folder);
}
