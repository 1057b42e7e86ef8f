import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tryLock } from 'fs-native-extensions';

/** A temporary folder that only this process uses. */
export interface OwnFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates the folder in `parent`, which must exist. Removes folders of the same `kind` that other processes left behind when
 * they ended.
 *
 * For each folder, the process holds a file lock, which the system releases when the process ends for any reason.
 * Process ids would not be enough: in containers that share a volume, several processes can have the same id and not
 * see each other.
 */
export async function createOwnFolder(parent: string, kind: string): Promise<OwnFolder> {
  await removeAbandoned(parent, kind);
  const name = `${kind}-${randomBytes(6).toString('hex')}`;
  const folder = resolve(parent, name);
  const path = join(folder, FILES);
  // Other processes ignore this name until the folder has its lock. A process that is killed here leaves an empty folder.
  const unlocked = resolve(parent, `.${name}`);
  // The option `recursive` is not used, because it loops forever where no folder can be created, for example in `/proc`.
  await mkdir(unlocked, { mode: 0o700 });
  await mkdir(join(unlocked, FILES), { mode: 0o700 });
  const lock = holdLock(join(unlocked, LOCK), parent);
  await rename(unlocked, folder);
  let isHeld = true;
  const remove = async () => {
    // The lock file is closed first, because network file systems do not remove an open file.
    if (isHeld) closeSync(lock);
    isHeld = false;
    await removeFolder(folder);
  };
  return { path, remove };
}

/** Returns the temporary folders of all processes. Some of these processes may have ended. */
export async function findOwnFolders(parent: string, kind: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch(() => []);
  return names.filter((name) => OWN_NAME.exec(name)?.[1] === kind).map((name) => resolve(parent, name, FILES));
}

/** The names in a temporary folder. The files are in a subfolder, so that its user can delete all of them without the lock. */
const FILES = 'files';
const LOCK = 'lock';

/** Creates a file and acquires its lock. Returns the descriptor, which holds the lock until it is closed. */
function holdLock(path: string, parent: string): number {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    if (tryLock(descriptor)) return descriptor;
    throw new Error(`${path} is locked by another process.`);
  } catch (error) {
    closeSync(descriptor);
    throw new Error(
      `The file system of ${parent} does not support file locks, which show whether the process of a folder still runs: ` +
        (error as Error).message,
      { cause: error },
    );
  }
}

async function removeAbandoned(parent: string, kind: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, kindOfName] = OWN_NAME.exec(name) ?? [];
    const folder = resolve(parent, name);
    if (kindOfName === kind && isAbandoned(folder)) await removeFolder(folder);
  }
}

/** Removes the lock after the files, so that another process can continue the removal if this process is killed here. */
async function removeFolder(folder: string): Promise<void> {
  // The removal is retried, because work that is being stopped can still add files.
  const options = { recursive: true, force: true, maxRetries: 5 };
  await rm(join(folder, FILES), options);
  await rm(folder, options);
}

const OWN_NAME = /^(\w+)-(?:[0-9a-f]{12}|\d+-[0-9a-f-]{36})$/;
/** Earlier versions used names with a process id and a UUID, and no lock. */
const EARLIER_NAME = /-\d+-[0-9a-f-]{36}$/;

function isAbandoned(folder: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(join(folder, LOCK), 'r+');
    return tryLock(descriptor);
  } catch (error) {
    // Without a lock, the folder can belong to a user, such as `backup-202601312359`, so its name must be one of an
    // earlier version. Other errors, such as a missing permission, do not prove that the process has ended.
    return EARLIER_NAME.test(folder) && (error as NodeJS.ErrnoException).code === 'ENOENT';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
