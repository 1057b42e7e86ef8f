import { access, constants, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createOwnFolder } from '../own-folder.js';
import { type CheckedBlocks, describeDamage } from './isolated/block-checksums.js';
import { copyUnchanged } from './isolated/copy-unchanged.js';
import { countRows } from './isolated/count-rows.js';
import type { CopySource } from './isolated/database-copies.js';
import type { RowCounts } from './isolated/protocol.js';
import { WorkerProcess } from './isolated/worker-process.js';
import { DatabaseFileError } from './open-error.js';

/**
 * Copies an open database with all commits before the call into a new file. Queries and small changes continue
 * meanwhile; imports wait. The new file is empty or complete, and an existing file or link is never replaced. The whole
 * copy is verified: throws `DatabaseFileError` if a block is damaged or a row is missing.
 */
export async function backUp(source: CopySource, to: string, signal: AbortSignal): Promise<void> {
  await requireFolder(dirname(to));
  // This early check avoids a useless copy. `giveName` also rejects a file that is created during the copy.
  if (await lstat(to).catch(() => undefined)) throw existsError(to);
  // The temporary folder is next to the new file, because a file cannot be renamed to another file system.
  const own = await createOwnFolder(dirname(to), 'backup');
  const copy = join(own.path, basename(to));
  try {
    await withWorker(signal, async (worker) => {
      // `createOwnFolder` also removes folders of killed backups, which can take time. So the signal may already be aborted.
      signal.throwIfAborted();
      const counts = await source.whileUnchanged(async (connection) => {
        await copyUnchanged(worker, source.file, copy);
        return countRows(connection);
      });
      await requireComplete(worker, source.file, copy, counts);
      await writeToDisk(copy);
      await giveName(copy, to);
    });
  } finally {
    await own.remove();
  }
}

/** Throws if a block of the copy is damaged, or if a table of the copy does not have as many rows as in the source. */
async function requireComplete(worker: WorkerProcess, file: string, copy: string, counts: RowCounts): Promise<void> {
  const { damaged } = await worker.ask('verify', { file: copy, only: undefined });
  if (damaged.length > 0) throw new DatabaseFileError(file, `${describeDamage(file, damaged)} There is no new backup.`);
  const copied = await worker.ask('count', { file: copy }).catch((error: unknown) => {
    throw new DatabaseFileError(file, `The copy of ${file} cannot be read. There is no new backup.`, error);
  });
  const different = counts.find(([table, rows], index) => copied[index]?.[0] !== table || copied[index]?.[1] !== rows);
  if (different === undefined && copied.length === counts.length) return;
  const table = different?.[0] ?? copied.at(-1)?.[0];
  throw new DatabaseFileError(
    file,
    `The copy of ${file} does not have all rows of the table ${table}. There is no new backup.`,
  );
}

/**
 * Compares the blocks of an open file with their checksums. A block that seems damaged is read again while nothing
 * changes the file, because it may have changed during the first read.
 */
export function verifyFile(source: CopySource, signal: AbortSignal): Promise<CheckedBlocks> {
  return withWorker(signal, async (worker) => {
    const checked = await worker.ask('verify', { file: source.file, only: undefined });
    if (checked.damaged.length === 0) return checked;
    const only = checked.damaged.filter((block) => block >= 0);
    const again = await source.whileUnchanged(() => worker.ask('verify', { file: source.file, only }));
    return { blocks: checked.blocks, damaged: again.damaged };
  });
}

/** Runs `work` with a worker process. The process ends with `work`, or when the signal aborts. */
async function withWorker<T>(signal: AbortSignal, work: (worker: WorkerProcess) => Promise<T>): Promise<T> {
  const worker = new WorkerProcess();
  const stop = () => worker.kill();
  signal.addEventListener('abort', stop);
  try {
    return await work(worker);
  } finally {
    signal.removeEventListener('abort', stop);
    worker.kill();
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

/** Flushes a file to the disk. Without this, a power failure could leave an incomplete file with the final name. */
async function writeToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Gives a file its final name. Unlike `rename`, this fails if the name exists, because it first creates an empty file, which DuckDB does
 * not open. A hard link would not need the empty file, but some file systems, such as those of USB disks, do not support links.
 */
async function giveName(file: string, name: string): Promise<void> {
  const reserved = await open(name, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
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
