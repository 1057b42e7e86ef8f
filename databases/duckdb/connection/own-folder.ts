import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

/** A temporary folder that only this process uses. */
export interface OwnFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates the folder in `parent`, which must exist. Removes folders of the same `kind` that earlier processes left
 * behind when they ended.
 */
export async function createOwnFolder(parent: string, kind: string): Promise<OwnFolder> {
  await removeAbandoned(parent, kind);
  const path = resolve(parent, `${kind}-${process.pid}-${randomUUID()}`);
  ownPaths.add(path);
  await mkdir(path, { mode: 0o700 });
  const remove = async () => {
    await rm(path, { recursive: true, force: true });
    ownPaths.delete(path);
  };
  return { path, remove };
}

/**
 * The folders that this process has created. In a container, an earlier process often had the same process id, so the
 * id in a folder name does not prove that this process created the folder.
 */
const ownPaths = new Set<string>();

async function removeAbandoned(parent: string, kind: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [nameOfKind, pid] = name.split('-');
    const path = resolve(parent, name);
    const isUsed = Number(pid) === process.pid ? ownPaths.has(path) : isRunning(Number(pid));
    if (nameOfKind === kind && !isUsed) await rm(path, { recursive: true, force: true });
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
