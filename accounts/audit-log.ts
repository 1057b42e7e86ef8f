import { randomUUID } from 'node:crypto';
import { type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';

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
    [timedId(at), sqlTime(at), actor, action, subject, detail],
  );
}

/** Up to `most` changes, the newest first; `at` in ISO 8601. */
export async function readNewestChanges(
  database: Database,
  most: number,
): Promise<readonly (Required<Omit<Change, 'at'>> & { readonly at: string })[]> {
  const rows = await readStateRows(
    database,
    `SELECT happened_at, actor, action, subject, detail FROM sys_audit_log ORDER BY happened_at DESC, id DESC LIMIT ${most}`,
  );
  return rows.map(([at, actor, action, subject, detail]) => ({
    at: isoTime(at),
    actor: String(actor),
    action: String(action),
    subject: String(subject),
    detail: String(detail),
  }));
}

/**
 * Forgets the changes before a moment, some at a time, so that no user waits for long; after the signal no further ones. Resolves
 * to their number.
 */
export async function deleteOldChanges(state: StateStore, before: Date, signal?: AbortSignal): Promise<number> {
  let [all, forgotten] = [0, 0];
  do {
    forgotten = await state.transaction(async (tables) => {
      const old = await tables.rows(OLDEST, [sqlTime(before)]);
      if (old.length === 0) return 0;
      const markers = old.map((_, index) => `:p${index + 1}`).join(', ');
      return tables.run(
        `DELETE FROM sys_audit_log WHERE id IN (${markers})`,
        old.map(([id]) => String(id)),
      );
    });
    all += forgotten;
  } while (forgotten === AT_A_TIME && signal?.aborted !== true);
  return all;
}

const AT_A_TIME = 500;
const OLDEST = `SELECT id FROM sys_audit_log WHERE happened_at < :p1 ORDER BY happened_at, id LIMIT ${AT_A_TIME}`;

/** A UUID of version 7 with a counter (RFC 9562, 6.2), so that changes of one process stay in their order. */
function timedId(at: Date): string {
  const time = at.getTime();
  latest = { time, count: time === latest.time ? latest.count + 1 : 0 };
  const [hex, count] = [hexOf(time, 12), hexOf(latest.count % 4096, 3)];
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}${randomUUID().slice(18)}`;
}

/** The time of the newest id, in milliseconds, and how many were made of it before. */
let latest = { time: 0, count: 0 };

function hexOf(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
