import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import type { StoredKey } from './api-key.js';
import { ignoreMissing, parseKeys, readKeys, requireSize } from './stored-keys.js';

/** A change of the keys, and its result. */
export interface KeyChange<T> {
  readonly keys: readonly StoredKey[];
  readonly result: T;
}

/**
 * Changes the keys in the file. Changes of several processes run one after the other. The file is replaced atomically: after a crash, it
 * contains all keys before or all keys after the change. Resolves to the result of the change, and to the ids of keys that ended so long
 * ago that they were removed. `beforeReplacing` is called when the new content is on the disk.
 */
export async function changeKeys<T>(
  path: string,
  now: Date,
  change: (keys: readonly StoredKey[]) => KeyChange<T>,
  beforeReplacing = async () => {},
): Promise<{ readonly result: T; readonly removed: readonly string[] }> {
  const file = await realpath(path).catch(() => path);
  const owner = await ownerOf(file);
  const lock = await acquireLock(file, owner);
  try {
    const { keys, result } = change(await readKeys(file));
    const kept = keys.filter((key) => !isOutdated(key, now));
    await replaceFile(file, kept, owner, beforeReplacing);
    return { result, removed: keys.filter((key) => !kept.includes(key)).map(({ id }) => id) };
  } finally {
    await lock.close();
  }
}

/** Whether a key was revoked or has expired so long ago that it is removed from the file. */
function isOutdated({ revokedAt, expiresAt }: StoredKey, now: Date): boolean {
  const ends = [revokedAt, expiresAt].flatMap((text) => (text === undefined ? [] : [Date.parse(text)]));
  return Math.min(...ends) + KEEP_ENDED_MS <= now.getTime();
}

const KEEP_ENDED_MS = 90 * 86_400_000;

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that must own the file, because a service of this account reads it: the owner of the file, or of its folder.
 * Undefined if a file of this process has this owner anyway, or if the folder does not exist.
 */
async function ownerOf(file: string): Promise<Owner | undefined> {
  const [uid, existing] = [process.getuid?.(), await stat(file).catch(ignoreMissing)];
  if (uid === 0) return existing ?? stat(dirname(file)).catch(ignoreMissing);
  if (uid === undefined || existing === undefined || existing.uid === uid) return undefined;
  throw new Error(`${file} belongs to the user with the id ${existing.uid}: run the command as this user.`);
}

/** Acquires the lock for changes. The system releases it when the handle is closed or the process ends. */
async function acquireLock(file: string, owner: Owner | undefined): Promise<FileHandle> {
  const handle = await open(`${file}.lock`, 'a', 0o600).catch((error: Error) => {
    throw new Error(`The API keys in ${file} cannot be changed: ${error.message}`, { cause: error });
  });
  try {
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    const limit = AbortSignal.timeout(LOCK_TIMEOUT_MS);
    while (!tryLock(handle.fd)) {
      if (limit.aborted) throw new Error(`Another process has been changing ${file} for ${LOCK_TIMEOUT_MS / 1_000} s.`);
      await pause(LOCK_PAUSE_MS);
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const LOCK_TIMEOUT_MS = 30_000;
const LOCK_PAUSE_MS = 10;

/** Replaces the file. Only the process with the lock does this, so the temporary file needs no unique name. */
async function replaceFile(
  file: string,
  keys: readonly StoredKey[],
  owner: Owner | undefined,
  beforeReplacing: () => Promise<void>,
): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ keys }, null, 2)}\n`);
  // A service must be able to read the new file.
  requireSize(file, bytes.length);
  parseKeys(file, bytes);
  const temporary = `${file}.new`;
  // A process that was killed can have left the file.
  await rm(temporary, { force: true });
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await beforeReplacing();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
}

/** Makes a new file name durable. Some systems cannot do this for folders; there, only a power failure can undo the change. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
