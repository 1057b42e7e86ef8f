import { rm, stat } from 'node:fs/promises';
import type { WorkerProcess } from './worker-process.js';

/**
 * Copies a database file with a worker process. This process must not open the file: the lock of DuckDB on the file
 * belongs to the process, and ends when the process closes any handle of the file. Repeats the copy if the file has
 * changed during the copy: a commit of `change` can start a checkpoint, which changes the file and so damages the copy.
 */
export async function copyUnchanged(worker: Pick<WorkerProcess, 'ask'>, from: string, to: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const before = await modifiedAt(from);
    await worker.ask('copy', { from, to });
    if ((await modifiedAt(from)) === before) return;
    await rm(to);
  }
  throw new Error(`${from} changed during each of ${MAX_ATTEMPTS} attempts to copy it.`);
}

const MAX_ATTEMPTS = 3;

/** The time of the last change of a file, in nanoseconds. */
async function modifiedAt(file: string): Promise<bigint> {
  return (await stat(file, { bigint: true })).mtimeNs;
}
