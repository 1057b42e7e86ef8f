import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { copyUnchanged } from './isolated/copy-unchanged.js';
import type { CopySource } from './isolated/database-copies.js';
import { WorkerProcess } from './isolated/worker-process.js';

/**
 * Copies an open database with all commits before the call into a new file. Queries, and changes of users, continue;
 * imports wait. The file has its name only when it is complete, and an existing file is never replaced.
 */
export async function backUp(source: CopySource, to: string, signal: AbortSignal): Promise<void> {
  const unfinished = `${to}.unfinished`;
  const worker = new WorkerProcess();
  const stop = () => worker.kill();
  signal.addEventListener('abort', stop);
  try {
    if (existsSync(to)) throw new Error(`${to} already exists.`);
    // An earlier backup may have been killed.
    await rm(unfinished, { force: true });
    await source.whileUnchanged(() => copyUnchanged(worker, source.file, unfinished));
    await rename(unfinished, to);
  } finally {
    signal.removeEventListener('abort', stop);
    worker.kill();
    await rm(unfinished, { force: true });
  }
}
