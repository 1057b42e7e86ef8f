import type { Database } from '../engine/index.js';
import { OPERATOR, writeAuditEntry } from './audit-log.js';
import { lockUser } from './lock-user.js';
import { readStateRows } from './state-reads.js';
import type { StateStore } from './state-store.js';
import type { User } from './users.js';

/** The role of users whom an operator trusts. It is not stored. */
export const TRUSTED = 'trusted';

/** The roles of users. Methods throw the errors of the database. */
export class UserRoles {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Returns the roles of a user: `trusted` for a trusted user, then the roles that operators granted, in order. */
  async rolesOf({ id, isTrusted }: Pick<User, 'id' | 'isTrusted'>): Promise<string[]> {
    const rows = await readStateRows(
      this.#database,
      'SELECT role FROM sys_user_roles WHERE user_id = :p1 ORDER BY role',
      [id],
    );
    return [...(isTrusted ? [TRUSTED] : []), ...rows.map(([role]) => String(role))];
  }

  /** Adds and removes roles of a user. Writes an audit entry for each change. Throws `RemovedUserError`. */
  async change(userId: number, { add, remove }: RoleChange, now: Date): Promise<void> {
    await this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      const audit = (action: string, detail: string) =>
        writeAuditEntry(tables, { at: now, actor: OPERATOR, action, subject: `user ${userId}`, detail });
      for (const role of remove) {
        const key = [userId, role];
        const count = await tables.run('DELETE FROM sys_user_roles WHERE user_id = :p1 AND role = :p2', key);
        if (count > 0) await audit('remove-role', role);
      }
      const rows = await tables.rows('SELECT role FROM sys_user_roles WHERE user_id = :p1', [userId]);
      const existing = new Set(rows.map(([role]) => role));
      for (const role of add.filter((one) => !existing.has(one))) {
        await tables.run('INSERT INTO sys_user_roles (user_id, role) VALUES (:p1, :p2)', [userId, role]);
        await audit('add-role', role);
      }
    });
  }
}

/** The roles to add and to remove. */
export interface RoleChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}
