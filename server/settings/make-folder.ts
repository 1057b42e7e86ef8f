import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. `setting` is the name of the setting that contains the path. Throws an error with the reason if
 * the folder cannot be used. Node's `mkdir` with `recursive` is not used, because it loops forever where folders cannot be created, for
 * example in `/proc`.
 */
export async function makeFolder(path: string, setting = 'DATA_DIR'): Promise<void> {
  try {
    // The data folder contains e-mail addresses and secrets, so only its owner can read it. All other folders get the default permissions.
    await createMissing(path, setting === 'DATA_DIR' ? 0o700 : 0o777);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`The folder ${path} of ${setting} cannot be used: ${REASONS[code] ?? (error as Error).message}.`);
  }
}

async function createMissing(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFolder(path))) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await createMissing(dirname(path), mode);
    // Another process may have created the folder in the meantime.
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'a file with this name exists',
  ENOTDIR: 'one of its parents is a file',
  ENOENT: 'the system does not allow folders there',
  EACCES: 'this user has no permission to create it',
  EPERM: 'the system does not allow folders there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
};
