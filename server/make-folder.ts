import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder of `DATA_DIR` and those above it where they are missing. Throws what says why it cannot be used. (Node's own
 * way of making several tries for ever where the system makes none, as in `/proc`.)
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`The folder ${path} of DATA_DIR cannot be used: ${REASONS[code] ?? (error as Error).message}.`);
  }
}

async function make(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFolder(path))) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await make(dirname(path));
    // Of several processes that make it at once, one is first.
    await mkdir(path).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'there is something else of this name',
  ENOTDIR: 'one of the names above it is a file',
  ENOENT: 'the system makes no folders there',
  EACCES: 'this user may not make it',
  EPERM: 'the system makes no folders there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'the links to it lead in a circle',
};
