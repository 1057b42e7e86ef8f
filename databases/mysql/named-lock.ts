import { createHash } from 'node:crypto';
import type { WriteConnection } from './write-connection.js';

/** The name of a lock on work in one database: locks belong to the server, and their names have at most 64 characters. */
export function lockName(database: string, work: string): string {
  const digest = createHash('sha256').update(database).digest('hex').slice(0, 16);
  return `repo-insight ${digest} ${work}`;
}

/**
 * Takes a lock that one connection has alone, and that the server takes back when the connection ends, by whatever
 * cause. Gives undefined when it is taken, or else who has it.
 */
export async function takeLock(
  connection: WriteConnection,
  lock: string,
  waitSeconds: number,
): Promise<string | undefined> {
  const taken = await connection.evaluate('SELECT GET_LOCK(?, ?)', [lock, waitSeconds], waitSeconds * 1000);
  return Number(taken) === 1 ? undefined : holderOf(connection, lock);
}

export async function giveLockBack(connection: WriteConnection, lock: string): Promise<void> {
  await connection.evaluate('SELECT RELEASE_LOCK(?)', [lock]);
}

/** TiDB answers after a second, and does not tell the connection; an account sees other accounts' connections only where it may. */
async function holderOf(connection: WriteConnection, lock: string): Promise<string> {
  const id = await connection.evaluate('SELECT IS_USED_LOCK(?)', [lock], HOLDER_MS);
  const processes = 'SELECT host FROM information_schema.processlist WHERE id = :p1';
  const [[host] = []] = await connection.rows(processes, [id]);
  return host === undefined ? 'another process' : `the process at ${host} (connection ${id})`;
}

const HOLDER_MS = 1_000;
