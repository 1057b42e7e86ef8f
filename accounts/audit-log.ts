import { randomUUID } from 'node:crypto';
import { type Cell, type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { readInBatches, readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';

/** An entry of the audit log: a change of state and who made it. It contains no secret and no e-mail address. */
export interface AuditEntry {
  readonly at: Date;
  /** Who made the change: `user 12`, `operator` for the command line, or `visitor` for a person who is not signed in. */
  readonly actor: string;
  /** The kind of change, for example `subscribe`. */
  readonly action: string;
  /** The changed object, for example `repository 123`. */
  readonly subject: string;
  readonly detail?: string;
}

export const OPERATOR = 'operator';
export const VISITOR = 'visitor';

/** An entry as it is stored. `at` is in ISO 8601. */
export type StoredAuditEntry = Required<Omit<AuditEntry, 'at'>> & { readonly at: string };

/** Writes an audit entry in the transaction of the change, so that either both are stored or none. */
export async function writeAuditEntry(
  tables: StateTables,
  { at, actor, action, subject, detail = '' }: AuditEntry,
): Promise<void> {
  await tables.run(
    `INSERT INTO sys_audit_log (id, happened_at, actor, action, subject, detail)
     VALUES (:p1, :p2, :p3, :p4, :p5, :p6)`,
    [createTimedId(at), sqlTime(at), actor, action, subject, detail],
  );
}

/** Reads up to `limit` entries, newest first. */
export async function readNewestAuditEntries(database: Database, limit: number): Promise<StoredAuditEntry[]> {
  const rows = await readStateRows(database, `${SELECT} ORDER BY happened_at DESC, id DESC LIMIT ${limit}`);
  return rows.map(toEntry);
}

/**
 * Yields the entries of a user: first those about changes by the user, then those about changes of the user by others, each in order. The
 * embedded database has no index for this, and reads one column of the whole log, which is limited by `AUDIT_KEEP_DAYS`.
 */
export async function* readAuditEntriesOf(
  database: Database,
  userId: number,
  signal: AbortSignal,
): AsyncGenerator<StoredAuditEntry> {
  for (const condition of ['actor = :p1', 'subject = :p1 AND actor <> :p1']) {
    const select = `${SELECT} WHERE ${condition} AND id > :p2 ORDER BY id LIMIT ${BATCH_SIZE}`;
    yield* readInBatches(BATCH_SIZE, toEntry, (last) =>
      readStateRows(database, select, [`user ${userId}`, String(last?.[0] ?? '')], signal),
    );
  }
}

const SELECT = 'SELECT id, happened_at, actor, action, subject, detail FROM sys_audit_log';

function toEntry([, at, actor, action, subject, detail]: readonly Cell[]): StoredAuditEntry {
  return {
    at: isoTime(at),
    actor: String(actor),
    action: String(action),
    subject: String(subject),
    detail: String(detail),
  };
}

/**
 * Deletes the entries before a moment, in batches of 500, so that requests do not have to wait long. Stops after the current batch when the
 * signal aborts. Resolves to the number of deleted entries.
 */
export async function deleteOldAuditEntries(state: StateStore, before: Date, signal?: AbortSignal): Promise<number> {
  let [total, deleted] = [0, 0];
  do {
    deleted = await state.transaction(async (tables) => {
      const old = await tables.rows(OLDEST, [sqlTime(before)]);
      if (old.length === 0) return 0;
      const markers = old.map((_, index) => `:p${index + 1}`).join(', ');
      return tables.run(
        `DELETE FROM sys_audit_log WHERE id IN (${markers})`,
        old.map(([id]) => String(id)),
      );
    });
    total += deleted;
  } while (deleted === BATCH_SIZE && signal?.aborted !== true);
  return total;
}

const BATCH_SIZE = 500;
const OLDEST = `SELECT id FROM sys_audit_log WHERE happened_at < :p1 ORDER BY happened_at, id LIMIT ${BATCH_SIZE}`;

/** Creates a UUID of version 7 with a counter (RFC 9562, section 6.2), so that the ids of one process are in chronological order. */
function createTimedId(at: Date): string {
  const time = at.getTime();
  latestId = { time, count: time === latestId.time ? latestId.count + 1 : 0 };
  const [hex, count] = [toHex(time, 12), toHex(latestId.count % 4096, 3)];
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}${randomUUID().slice(18)}`;
}

/** The time of the last id in milliseconds, and the number of earlier ids with the same time. */
let latestId = { time: 0, count: 0 };

function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
