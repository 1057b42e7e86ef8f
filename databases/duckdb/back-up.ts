import { access, constants, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createOwnFolder } from '../own-folder.js';
import { copyUnchanged } from './isolated/copy-unchanged.js';
import type { CopySource } from './isolated/database-copies.js';
import { WorkerProcess } from './isolated/worker-process.js';

/**
 * Copies an open database with all commits before the call into a new file. Queries, and changes of users, continue;
 * imports wait. The file is empty or complete, and an existing file or link is never replaced.
 */
export async function backUp(source: CopySource, to: string, signal: AbortSignal): Promise<void> {
  await requireFolder(dirname(to));
  // This check avoids a useless copy. `giveName` also rejects a file that is created meanwhile.
  if (await lstat(to).catch(() => undefined)) throw existsError(to);
  // Next to the file, because a file cannot be renamed into another file system.
  const own = await createOwnFolder(dirname(to), 'backup');
  const copy = join(own.path, basename(to));
  const worker = new WorkerProcess();
  const stop = () => worker.kill();
  signal.addEventListener('abort', stop);
  try {
    // The folder of a killed backup can take time to remove.
    signal.throwIfAborted();
    await source.whileUnchanged(() => copyUnchanged(worker, source.file, copy));
    await writeToDisk(copy);
    await giveName(copy, to);
  } finally {
    signal.removeEventListener('abort', stop);
    worker.kill();
    await own.remove();
  }
}

async function requireFolder(folder: string): Promise<void> {
  const facts = await stat(folder).catch(() => undefined);
  if (facts === undefined) throw new Error(`The folder ${folder} does not exist. Create it first.`);
  if (!facts.isDirectory()) throw new Error(`${folder} is not a folder.`);
  await access(folder, constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'EROFS' ? 'it is read-only' : 'its account has no permission';
    throw new Error(
      `The process that has the database open cannot write to the folder ${folder}: ${reason}. ` +
        'Use a folder that it can write to, such as the folder of the database file.',
    );
  });
}

/** Otherwise a power failure could leave an incomplete file with the final name. */
async function writeToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Gives a file its final name. Unlike `rename`, this fails if the name exists, because an empty file is created first. A hard link
 * would need no empty file, but some file systems, such as those of USB disks, have none. DuckDB does not open an empty file.
 */
async function giveName(file: string, name: string): Promise<void> {
  const reserved = await open(name, 'wx').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? existsError(name) : error;
  });
  try {
    await reserved.close();
    await rename(file, name);
  } catch (error) {
    await rm(name, { force: true });
    throw error;
  }
}

function existsError(name: string): Error {
  return new Error(`${name} already exists. A backup never replaces a file.`);
}
