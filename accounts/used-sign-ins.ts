import { createHash } from 'node:crypto';
import { sqlTime } from '../engine/index.js';
import type { StateStore } from './state-store.js';

/**
 * Records used sign-ins. All processes that use the same database share these records, so that each sign-in succeeds
 * only once.
 */
export class UsedSignIns {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Marks the sign-in with this `state` as used; false if it was used before. */
  async consume(state: string, now: Date): Promise<boolean> {
    const hash = createHash('sha256').update(`sign-in ${state}`).digest('hex');
    const expiresAt = new Date(now.getTime() + RETENTION_MS);
    return this.#state.transaction(async (tables) => {
      await tables.run('DELETE FROM sys_sessions WHERE expires_at <= :p1', [sqlTime(now)]);
      const used = await tables.rows('SELECT id_hash FROM sys_sessions WHERE id_hash = :p1', [hash]);
      if (used.length > 0) return false;
      // A used sign-in is stored as a session without a user; it is deleted when it expires. Because of the primary
      // key, only one of two concurrent inserts succeeds.
      await tables.run("INSERT INTO sys_sessions (id_hash, user_id, data, expires_at) VALUES (:p1, NULL, '', :p2)", [
        hash,
        sqlTime(expiresAt),
      ]);
      return true;
    });
  }
}

/** Longer than the time limit of a sign-in plus the difference between the clocks of processes. */
const RETENTION_MS = 3_600_000;
