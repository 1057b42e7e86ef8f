import { createHash } from 'node:crypto';
import { sqlTime } from '../engine/index.js';
import type { StateStore } from './state-store.js';

/** Sign-ins that are used up. Every process on one database sees the same ones, so that each sign-in counts once. */
export class UsedSignIns {
  constructor(private readonly state: StateStore) {}

  /** Uses up the sign-in that began with this `state`; false if it was used before. */
  async use(state: string, now: Date): Promise<boolean> {
    const hash = createHash('sha256').update(`sign-in ${state}`).digest('hex');
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    return this.state.transaction(async (tables) => {
      await tables.run('DELETE FROM sys_sessions WHERE expires_at <= :p1', [sqlTime(now)]);
      const used = await tables.rows('SELECT id_hash FROM sys_sessions WHERE id_hash = :p1', [hash]);
      if (used.length > 0) return false;
      // A session of no user, removed with the expired ones. If two insert it at once, the primary key lets one succeed.
      await tables.run("INSERT INTO sys_sessions (id_hash, user_id, data, expires_at) VALUES (:p1, NULL, '', :p2)", [
        hash,
        sqlTime(expiresAt),
      ]);
      return true;
    });
  }
}

/** Longer than a sign-in may take, by more than the clocks of processes differ. */
const KEPT_MS = 3_600_000;
