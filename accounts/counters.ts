import type { StateTables } from './state-store.js';

/** Returns the next number of a counter, which starts at 1. Concurrent callers wait for each other. */
export async function takeNextNumber(tables: StateTables, name: string): Promise<number> {
  const [[last] = []] = await tables.rows('SELECT value FROM sys_counters WHERE name = :p1', [name]);
  const next = Number(last ?? 0) + 1;
  if (last === undefined) await tables.run('INSERT INTO sys_counters (name, value) VALUES (:p1, :p2)', [name, next]);
  else await tables.run('UPDATE sys_counters SET value = :p1 WHERE name = :p2', [next, name]);
  return next;
}
