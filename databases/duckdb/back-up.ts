import { access, constants, link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { copyUnchanged } from './isolated/copy-unchanged.js';
import type { CopySource } from './isolated/database-copies.js';
import { WorkerProcess } from './isolated/worker-process.js';

/**
 * Copies an open database with all commits before the call into a new file. Queries, and changes of users, continue;
 * imports wait. The file has its name only when it is complete, and an existing file or link is never replaced.
 */
export async function backUp(source: CopySource, to: string, signal: AbortSignal): Promise<void> {
  await requireFolder(dirname(to));
  // This check avoids a useless copy. `giveName` also rejects a file that is created meanwhile.
  if (await lstat(to).catch(() => undefined)) throw existsError(to);
  const unfinished = `${to}.unfinished`;
  // Otherwise one backup would delete the file of the other, or give its incomplete file the name.
  if (running.has(unfinished)) throw new Error(`A backup to ${to} is running.`);
  running.add(unfinished);
  const worker = new WorkerProcess();
  const stop = () => worker.kill();
  signal.addEventListener('abort', stop);
  try {
    // An earlier backup may have been killed.
    await rm(unfinished, { force: true });
    await source.whileUnchanged(() => copyUnchanged(worker, source.file, unfinished));
    await writeToDisk(unfinished);
    await giveName(unfinished, to);
  } finally {
    signal.removeEventListener('abort', stop);
    worker.kill();
    await rm(unfinished, { force: true }).finally(() => running.delete(unfinished));
  }
}

/** The files of the backups that run in this process. */
const running = new Set<string>();

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

/** Gives a file its final name. Unlike `rename`, this fails if the name exists. */
async function giveName(file: string, name: string): Promise<void> {
  try {
    await link(file, name).catch((error: NodeJS.ErrnoException) => {
      if (!WITHOUT_LINKS.has(error.code)) throw error;
      return reserveName(file, name);
    });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? existsError(name) : error;
  }
}

/** The errors of file systems without hard links, such as those of USB disks. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Creates an empty file, which fails if the name exists, and replaces it. */
async function reserveName(file: string, name: string): Promise<void> {
  await (await open(name, 'wx')).close();
  await rename(file, name);
}

function existsError(name: string): Error {
  return new Error(`${name} already exists. A backup never replaces a file.`);
}
