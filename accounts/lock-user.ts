import type { StateTables } from './state-store.js';
import { RemovedUserError } from './users.js';

/**
 * Locks the row of a user, so that concurrent changes for the user, and a removal of the user, must wait. Throws `RemovedUserError` if the
 * user was removed.
 */
export async function lockUser(tables: StateTables, userId: number): Promise<void> {
  const rows = await tables.rows('SELECT id FROM sys_users WHERE id = :p1', [userId]);
  if (rows.length === 0) throw new RemovedUserError('This user was removed.');
}
