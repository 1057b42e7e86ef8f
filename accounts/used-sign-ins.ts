import { createHash } from 'node:crypto';
import { sqlTime } from '../engine/index.js';
import type { StateStore } from './state-store.js';

/** A record of used sign-ins, which all processes with the same database share, so that each sign-in succeeds only once. */
export class UsedSignIns {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Marks the sign-in with this `state` as used. Returns false if it was already used. */
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

/** This is longer than the time limit of a sign-in plus the maximum clock difference between processes. */
const RETENTION_MS = 3_600_000;
