import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Returns a folder next to `folder` that no other process writes, and removes those of processes that ended. */
export function newFolder(folder: string): string {
  const names = existsSync(dirname(folder)) ? readdirSync(dirname(folder)) : [];
  for (const name of names) {
    const [, owner] = name.startsWith(`${basename(folder)}.`) ? (/\.(?:new|old)-(\d+)$/.exec(name) ?? []) : [];
    if (owner !== undefined && !isRunning(Number(owner))) remove(join(dirname(folder), name));
  }
  return `${folder}.new-${process.pid}`;
}

/** Replaces a folder with a complete one. A process that ends in the middle leaves one complete folder, or none. */
export function replaceFolder(folder: string, complete: string): void {
  const old = `${folder}.old-${process.pid}`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(complete, folder);
  remove(old);
}

function isRunning(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
