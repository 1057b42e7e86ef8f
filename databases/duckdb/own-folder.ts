import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that only this process uses. */
export interface OwnFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes the folder in an existing one, and removes those of this kind whose processes were killed. */
export async function makeOwnFolder(parent: string, kind: string): Promise<OwnFolder> {
  await removeLeftovers(parent, kind);
  const path = await mkdtemp(join(parent, `${kind}-${process.pid}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function removeLeftovers(parent: string, kind: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [nameOfKind, pid] = name.split('-');
    if (nameOfKind !== kind || isRunning(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
