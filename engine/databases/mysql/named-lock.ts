import { createHash } from 'node:crypto';
import type { WriteConnection } from './write-connection.js';

/**
 * Returns the name of the lock for one kind of work in one database. The name contains a digest of the database name,
 * because all databases of a server share one set of locks, and lock names have at most 64 characters.
 */
export function lockName(database: string, work: string): string {
  const digest = createHash('sha256').update(database).digest('hex').slice(0, 16);
  return `repo-insight ${digest} ${work}`;
}

/**
 * Acquires a lock for the connection. The server releases the lock when the connection ends for any reason. Returns undefined
 * on success. If the lock is not free within `waitSeconds`, returns a description of its holder.
 */
export async function acquireLock(
  connection: WriteConnection,
  lock: string,
  waitSeconds: number,
): Promise<string | undefined> {
  const isAcquired = await connection.evaluate('SELECT GET_LOCK(?, ?)', [lock, waitSeconds], waitSeconds * 1000);
  return Number(isAcquired) === 1 ? undefined : describeHolder(connection, lock);
}

export async function releaseLock(connection: WriteConnection, lock: string): Promise<void> {
  await connection.evaluate('SELECT RELEASE_LOCK(?)', [lock]);
}

/**
 * Acquires a lock that is held while the connection is open. If another connection has the lock, closes this connection
 * and returns a description of the holder.
 */
export async function holdLock(
  connection: WriteConnection,
  lock: string,
): Promise<{ release(): Promise<void> } | { readonly holder: string }> {
  try {
    const holder = await acquireLock(connection, lock, HOLD_WAIT_SECONDS);
    if (holder === undefined) return { release: () => connection.end() };
    await connection.end();
    return { holder };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

/** How long to wait for the lock: a server may need this time to notice that the previous holder has closed its connection. */
const HOLD_WAIT_SECONDS = 1;

/**
 * Describes the holder of a lock by its host and connection, if the server shows these. TiDB does not show them, and this function then
 * returns after one second. On other servers, an account needs a privilege to see the connections of other accounts.
 */
async function describeHolder(connection: WriteConnection, lock: string): Promise<string> {
  const id = await connection.evaluate('SELECT IS_USED_LOCK(?)', [lock], MAX_LOOKUP_MS);
  const processes = 'SELECT host FROM information_schema.processlist WHERE id = :p1';
  const [[host] = []] = await connection.rows(processes, [id]);
  return host === undefined ? 'another process' : `the process at ${host} (connection ${id})`;
}

const MAX_LOOKUP_MS = 1_000;
