import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// The time of the last use of a key is the modification time of an empty file with its id. So a use needs no lock and no database.

/** Stores the time of a use. Creates the folder, whose parent must exist. */
export async function writeUse(folder: string, id: string, at: Date): Promise<void> {
  const file = join(folder, id);
  await utimes(file, at, at).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await createFile(file);
    await utimes(file, at, at);
  });
}

async function createFile(file: string): Promise<void> {
  await mkdir(dirname(file), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await writeFile(file, '', { mode: 0o600 });
}

/** Returns the time of the last use; undefined if this machine has never used the key. */
export async function readUse(folder: string, id: string): Promise<Date | undefined> {
  return (await stat(join(folder, id)).catch(() => undefined))?.mtime;
}

export async function removeUse(folder: string, id: string): Promise<void> {
  await rm(join(folder, id), { force: true });
}
