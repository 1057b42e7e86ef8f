import { type Cell, type Database, sqlTime } from '../engine/index.js';
import { isoTime } from '../warehouse/rules/times.js';
import { nextDigestAt } from './digest-times.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';

/** The weekly digest of a user. Times are ISO 8601 in UTC. */
export interface DigestStatus {
  readonly timeZone: string;
  /** When the next digest is due; null if the address is undeliverable. */
  readonly nextAt: string | null;
  /** When a mail server accepted the last digest; null before the first one. */
  readonly sentAt: string | null;
  /** When a mail server rejected the address; null if it did not. */
  readonly undeliverableSince: string | null;
}

/** The right to send one digest. It is lost when its lease ends. */
export interface DigestClaim {
  readonly userId: number;
  readonly dueAt: Date;
  /** The number of this attempt to send the digest, from 1. */
  readonly attempt: number;
}

/** How an attempt ended. */
export type DigestOutcome =
  /** A mail server accepted the digest. */
  | 'sent'
  /** There is nothing to send this week, or it is unknown whether the digest was sent. The next digest is in the next week. */
  | 'skipped'
  /** The digest was certainly not sent. It is sent later. */
  | 'retry'
  /** A mail server rejected the address. The user gets no digest until the user enables digests again. */
  | 'undeliverable';

/**
 * Stores when each user gets the next digest, so that several processes send each digest at most once. An attempt has two steps: `claim`, and
 * `begin` just before the mail server gets the text. After an interruption between the two, the digest is sent later. After an interruption
 * that follows `begin`, it is unknown whether the user got the digest, and it is not sent again.
 */
export class Digests {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Returns the digest of a user; undefined if the user did not enable digests. */
  async find(userId: number): Promise<DigestStatus | undefined> {
    const [row] = await readStateRows(this.#database, SELECT, [userId]);
    return row && statusOf(toDigest(row));
  }

  /** Returns up to `limit` users whose digest can be claimed, those that wait longest first. */
  async findDue(now: Date, limit: number): Promise<number[]> {
    const rows = await readStateRows(
      this.#database,
      `SELECT user_id FROM sys_digests WHERE attempt_at <= :p1 ORDER BY attempt_at, user_id LIMIT ${limit}`,
      [sqlTime(now)],
    );
    return rows.map(([id]) => Number(id));
  }

  /** Begins an attempt to send the digest of a user. Undefined if it is not due, is too late, or may already have been sent. */
  claim(userId: number, now: Date): Promise<DigestClaim | undefined> {
    return this.#state.transaction(async (tables) => {
      const digest = await readDigest(tables, userId);
      if (digest === undefined || digest.attemptAt > now) return undefined;
      const { dueAt, attempts, state } = digest;
      if (state === 'sending' || isTooLate(digest, now)) {
        await scheduleNext(tables, digest, now);
        return undefined;
      }
      await tables.run(
        "UPDATE sys_digests SET state = 'claimed', attempts = :p1, attempt_at = :p2 WHERE user_id = :p3",
        [attempts + 1, sqlTime(later(now, LEASE_MS)), userId],
      );
      return { userId, dueAt, attempt: attempts + 1 };
    });
  }

  /**
   * Must be called just before the mail server gets the text. Resolves to false if the text must not be sent: the lease of the claim ended and
   * another process has the digest, or the user disabled digests.
   */
  async begin({ userId, dueAt, attempt }: DigestClaim, now: Date): Promise<boolean> {
    const changed = await this.#state.transaction((tables) =>
      tables.run(
        `UPDATE sys_digests SET state = 'sending', begun_at = :p1
         WHERE user_id = :p2 AND due_at = :p3 AND attempts = :p4 AND state = 'claimed'`,
        [sqlTime(now), userId, sqlTime(dueAt), attempt],
      ),
    );
    return changed === 1;
  }

  /** Stores how an attempt ended. If the claim was lost, stores only that the digest was sent. */
  async end({ userId, dueAt, attempt }: DigestClaim, outcome: DigestOutcome, now: Date): Promise<void> {
    await this.#state.transaction(async (tables) => {
      const digest = await readDigest(tables, userId);
      if (digest === undefined) return;
      if (outcome === 'sent') {
        await tables.run('UPDATE sys_digests SET sent_at = :p1 WHERE user_id = :p2', [sqlTime(now), userId]);
      }
      if (digest.attempts !== attempt || digest.dueAt.getTime() !== dueAt.getTime()) return;
      if (outcome === 'retry') {
        await tables.run(
          "UPDATE sys_digests SET state = 'waiting', attempt_at = :p1, begun_at = NULL WHERE user_id = :p2",
          [sqlTime(later(now, delayAfter(attempt))), userId],
        );
        return;
      }
      await scheduleNext(tables, digest, now);
      if (outcome === 'undeliverable') {
        await tables.run('UPDATE sys_digests SET attempt_at = :p1, undeliverable_since = :p2 WHERE user_id = :p3', [
          NEVER,
          sqlTime(now),
          userId,
        ]);
      }
    });
  }
}

/**
 * Enables the digest of a user in a transaction that has locked the user. Without a time zone, keeps the current one, or else uses UTC. A
 * digest that is already due stays due. Otherwise, the next digest is due at the first weekly time that is at least three days after the
 * last one, so that another time zone does not cause a second digest in a week.
 */
export async function enableDigest(
  tables: StateTables,
  userId: number,
  now: Date,
  timeZone: string | undefined,
): Promise<DigestStatus> {
  const digest = await readDigest(tables, userId);
  const zone = timeZone ?? digest?.timeZone ?? 'UTC';
  if (digest === undefined) {
    await tables.run(
      `INSERT INTO sys_digests (user_id, time_zone, due_at, attempt_at, attempts, state)
       VALUES (:p1, :p2, :p3, :p3, 0, 'waiting')`,
      [userId, zone, sqlTime(nextDigestAt(now, zone))],
    );
  } else if (digest.state === 'off' || digest.undeliverableSince !== null) {
    await scheduleNext(tables, { ...digest, timeZone: zone }, now);
  } else if (zone !== digest.timeZone) {
    if (digest.dueAt > now) await scheduleNext(tables, { ...digest, timeZone: zone }, now);
    else await tables.run('UPDATE sys_digests SET time_zone = :p1 WHERE user_id = :p2', [zone, userId]);
  }
  const enabled = await readDigest(tables, userId);
  const status = enabled && statusOf(enabled);
  if (status === undefined) throw new Error(`The digest of user ${userId} was not stored.`);
  return status;
}

/** Disables the digest of a user. A digest whose text a mail server already gets is not stopped. */
export async function disableDigest(tables: StateTables, userId: number): Promise<void> {
  await tables.run("UPDATE sys_digests SET state = 'off', attempt_at = :p1, attempts = 0 WHERE user_id = :p2", [
    NEVER,
    userId,
  ]);
}

/** The shortest time between two digests of a user. */
const MIN_DISTANCE_MS = 3 * 86_400_000;
/** The time for which a claim is valid. It is longer than an attempt can take. */
const LEASE_MS = 10 * 60_000;
/** A digest that could not be sent for this time is not sent any more. */
const MAX_DELAY_MS = 48 * 3_600_000;
const NEVER = '9999-12-31 00:00:00';

/** Returns the time in milliseconds between an attempt and the next one: 5 minutes, then three times as long each time, at most 6 hours. */
function delayAfter(attempt: number): number {
  return Math.min(5 * 60_000 * 3 ** (attempt - 1), 6 * 3_600_000);
}

function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

/** Schedules the next digest of a user, at least three days after the last one. */
async function scheduleNext(
  tables: StateTables,
  { userId, timeZone, begunAt }: Pick<StoredDigest, 'userId' | 'timeZone' | 'begunAt'>,
  now: Date,
): Promise<void> {
  const earliest = Math.max(now.getTime(), begunAt === null ? 0 : begunAt.getTime() + MIN_DISTANCE_MS);
  await tables.run(
    `UPDATE sys_digests SET time_zone = :p1, due_at = :p2, attempt_at = :p2, attempts = 0, state = 'waiting',
       undeliverable_since = NULL
     WHERE user_id = :p3`,
    [timeZone, sqlTime(nextDigestAt(new Date(earliest), timeZone)), userId],
  );
}

function isTooLate({ dueAt }: StoredDigest, now: Date): boolean {
  return now.getTime() - dueAt.getTime() > MAX_DELAY_MS;
}

interface StoredDigest {
  readonly userId: number;
  readonly timeZone: string;
  readonly dueAt: Date;
  readonly attemptAt: Date;
  readonly attempts: number;
  /** `waiting`, `claimed`, `sending` or `off`. */
  readonly state: string;
  /** When a mail server got the text of the last digest. The outcome can be unknown. Null before the first digest. */
  readonly begunAt: Date | null;
  readonly sentAt: Date | null;
  readonly undeliverableSince: Date | null;
}

const SELECT = `
  SELECT user_id, time_zone, due_at, attempt_at, attempts, state, begun_at, sent_at, undeliverable_since
  FROM sys_digests
  WHERE user_id = :p1`;

async function readDigest(tables: StateTables, userId: number): Promise<StoredDigest | undefined> {
  const [row] = await tables.rows(SELECT, [userId]);
  return row && toDigest(row);
}

function toDigest(row: readonly Cell[]): StoredDigest {
  const [userId, timeZone, dueAt, attemptAt, attempts, state, begunAt, sentAt, undeliverableSince] = row;
  return {
    userId: Number(userId),
    timeZone: String(timeZone),
    dueAt: timeOf(dueAt),
    attemptAt: timeOf(attemptAt),
    attempts: Number(attempts),
    state: String(state),
    begunAt: timeOrNull(begunAt),
    sentAt: timeOrNull(sentAt),
    undeliverableSince: timeOrNull(undeliverableSince),
  };
}

function statusOf({ timeZone, dueAt, sentAt, state, undeliverableSince }: StoredDigest): DigestStatus | undefined {
  if (state === 'off') return undefined;
  return {
    timeZone,
    nextAt: undeliverableSince === null ? isoText(dueAt) : null,
    sentAt: sentAt && isoText(sentAt),
    undeliverableSince: undeliverableSince && isoText(undeliverableSince),
  };
}

function isoText(time: Date): string {
  return isoTime(sqlTime(time));
}

function timeOf(cell: Cell | undefined): Date {
  return new Date(isoTime(cell));
}

function timeOrNull(cell: Cell | undefined): Date | null {
  return cell === null || cell === undefined ? null : timeOf(cell);
}
