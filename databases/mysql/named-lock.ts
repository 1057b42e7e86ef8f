import { createHash } from 'node:crypto';
import type { WriteConnection } from './write-connection.js';

/**
 * Takes a lock that a connection can have alone, and that the server takes back when the connection ends, by whatever
 * cause. Gives undefined when it is taken, or else who has it.
 */
export async function takeLock(
  connection: WriteConnection,
  name: string,
  waitSeconds: number,
): Promise<string | undefined> {
  const [[taken] = []] = await connection.rows('SELECT GET_LOCK(:p1, :p2)', [
    await fullName(connection, name),
    waitSeconds,
  ]);
  return Number(taken) === 1 ? undefined : holderOf(connection, name);
}

export async function giveLockBack(connection: WriteConnection, name: string): Promise<void> {
  await connection.rows('SELECT RELEASE_LOCK(:p1)', [await fullName(connection, name)]);
}

/** Locks belong to the server, not to a database of it, and their names have at most 64 characters. */
async function fullName(connection: WriteConnection, name: string): Promise<string> {
  const [[database] = []] = await connection.rows('SELECT DATABASE()');
  const digest = createHash('sha256').update(String(database)).digest('hex').slice(0, 16);
  return `repo-insight ${digest} ${name}`;
}

async function holderOf(connection: WriteConnection, name: string): Promise<string> {
  const lock = await fullName(connection, name);
  const [[id = null] = []] = await connection.rows('SELECT IS_USED_LOCK(:p1)', [lock]);
  const processes = await connection.rows('SELECT host FROM information_schema.processlist WHERE id = :p1', [id]);
  const [[host] = []] = processes;
  return host === undefined ? 'another process' : `the process at ${host} (connection ${id})`;
}
