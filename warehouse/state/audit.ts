import { randomUUID } from 'node:crypto';
import type { StateTables } from './state-store.js';
import { storedTime } from './times.js';

/** A change of state, for whoever has to find out later who made it. Holds no secret and no e-mail address. */
export interface Change {
  readonly at: Date;
  /** `user 12`, or `operator` for the command line. */
  readonly actor: string;
  /** Such as `subscribe`. */
  readonly action: string;
  /** What was changed, such as `repository 123`. */
  readonly subject: string;
  readonly detail?: string;
}

export const OPERATOR = 'operator';

/** Writes a change down in the transaction that makes it, so that neither is there without the other. */
export async function audit(tables: StateTables, { at, actor, action, subject, detail = '' }: Change): Promise<void> {
  await tables.run(
    `INSERT INTO sys_audit_log (id, happened_at, actor, action, subject, detail)
     VALUES (:p1, :p2, :p3, :p4, :p5, :p6)`,
    [randomUUID(), storedTime(at), actor, action, subject, detail],
  );
}
