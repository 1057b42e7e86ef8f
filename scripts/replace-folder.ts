import { existsSync, renameSync } from 'node:fs';

/**
 * Replaces a folder with a complete one, and moves the old one next to the complete one. A process that ends in the middle leaves
 * one complete folder, or none.
 */
export function replaceFolder(folder: string, complete: string): void {
  if (existsSync(folder)) renameSync(folder, `${complete}.old`);
  renameSync(complete, folder);
}
