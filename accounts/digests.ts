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
  readonly timeZone: string;
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
    const [row] = await readStateRows(
      this.#database,
      "SELECT time_zone, due_at, sent_at, undeliverable_since FROM sys_digests WHERE user_id = :p1 AND state <> 'off'",
      [userId],
    );
    if (row === undefined) return undefined;
    const [timeZone, dueAt, sentAt = null, undeliverable = null] = row;
    return {
      timeZone: String(timeZone),
      nextAt: undeliverable === null ? isoTime(dueAt) : null,
      sentAt: sentAt === null ? null : isoTime(sentAt),
      undeliverableSince: undeliverable === null ? null : isoTime(undeliverable),
    };
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
      const { timeZone, dueAt, attempts, state } = digest;
      const claim = { userId, timeZone, dueAt, attempt: attempts + 1 };
      if (state === 'sending' || now.getTime() - dueAt.getTime() > MAX_DELAY_MS) {
        await scheduleNext(tables, claim, now);
        return undefined;
      }
      await tables.run(
        "UPDATE sys_digests SET state = 'claimed', attempts = :p1, attempt_at = :p2 WHERE user_id = :p3",
        [claim.attempt, sqlTime(later(now, LEASE_MS)), userId],
      );
      return claim;
    });
  }

  /**
   * Must be called just before the mail server gets the text. Resolves to false if the text must not be sent: the lease of the claim ended and
   * another process has the digest, or the user disabled digests.
   */
  async begin({ userId, dueAt, attempt }: DigestClaim): Promise<boolean> {
    const changed = await this.#state.transaction((tables) =>
      tables.run(
        `UPDATE sys_digests SET state = 'sending'
         WHERE user_id = :p1 AND due_at = :p2 AND attempts = :p3 AND state = 'claimed'`,
        [userId, sqlTime(dueAt), attempt],
      ),
    );
    return changed === 1;
  }

  /** Stores how an attempt ended. Does nothing if the claim was lost. */
  async end(claim: DigestClaim, outcome: DigestOutcome, now: Date): Promise<void> {
    await this.#state.transaction(async (tables) => {
      const digest = await readDigest(tables, claim.userId);
      if (digest?.attempts !== claim.attempt || digest.dueAt.getTime() !== claim.dueAt.getTime()) return;
      const { userId, attempt } = claim;
      if (outcome === 'retry') {
        await tables.run("UPDATE sys_digests SET state = 'waiting', attempt_at = :p1 WHERE user_id = :p2", [
          sqlTime(later(now, delayAfter(attempt))),
          userId,
        ]);
        return;
      }
      await scheduleNext(tables, claim, now);
      if (outcome === 'sent') {
        await tables.run('UPDATE sys_digests SET sent_at = :p1 WHERE user_id = :p2', [sqlTime(now), userId]);
      }
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
 * Enables the digest of a user in a transaction that has locked the user. Without a time zone, keeps the current one, or else uses UTC. The
 * first digest is due at the next weekly time that is at least three days after the last digest, so that another time zone does not cause a
 * second digest in a week.
 */
export async function enableDigest(
  tables: StateTables,
  userId: number,
  now: Date,
  timeZone: string | undefined,
): Promise<void> {
  const digest = await readDigest(tables, userId);
  const zone = timeZone ?? digest?.timeZone ?? 'UTC';
  if (digest?.timeZone === zone && digest.state !== 'off' && !digest.isUndeliverable) return;
  const sentAt = digest?.state === 'sending' ? now : digest?.sentAt;
  const earliest = sentAt === undefined ? now : new Date(Math.max(now.getTime(), sentAt.getTime() + MIN_DISTANCE_MS));
  const due = sqlTime(nextDigestAt(earliest, zone));
  if (digest === undefined) {
    await tables.run(
      `INSERT INTO sys_digests (user_id, time_zone, due_at, attempt_at, attempts, state)
       VALUES (:p1, :p2, :p3, :p3, 0, 'waiting')`,
      [userId, zone, due],
    );
    return;
  }
  await tables.run(
    `UPDATE sys_digests SET time_zone = :p2, due_at = :p3, attempt_at = :p3, attempts = 0, state = 'waiting',
       sent_at = :p4, undeliverable_since = NULL
     WHERE user_id = :p1`,
    [userId, zone, due, sentAt === undefined ? null : sqlTime(sentAt)],
  );
}

/** Disables the digest of a user. A digest whose text a mail server already gets is not stopped. */
export async function disableDigest(tables: StateTables, userId: number, now: Date): Promise<void> {
  const digest = await readDigest(tables, userId);
  if (digest === undefined) return;
  const sentAt = digest.state === 'sending' ? now : digest.sentAt;
  await tables.run(
    "UPDATE sys_digests SET state = 'off', attempt_at = :p1, attempts = 0, sent_at = :p2 WHERE user_id = :p3",
    [NEVER, sentAt === undefined ? null : sqlTime(sentAt), userId],
  );
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

async function scheduleNext(tables: StateTables, { userId, timeZone }: DigestClaim, now: Date): Promise<void> {
  await tables.run(
    `UPDATE sys_digests SET due_at = :p1, attempt_at = :p1, attempts = 0, state = 'waiting' WHERE user_id = :p2`,
    [sqlTime(nextDigestAt(now, timeZone)), userId],
  );
}

interface StoredDigest {
  readonly timeZone: string;
  readonly dueAt: Date;
  readonly attemptAt: Date;
  readonly attempts: number;
  /** `waiting`, `claimed`, `sending` or `off`. */
  readonly state: string;
  readonly sentAt: Date | undefined;
  readonly isUndeliverable: boolean;
}

async function readDigest(tables: StateTables, userId: number): Promise<StoredDigest | undefined> {
  const [row] = await tables.rows(
    `SELECT time_zone, due_at, attempt_at, attempts, state, sent_at, undeliverable_since
     FROM sys_digests WHERE user_id = :p1`,
    [userId],
  );
  if (row === undefined) return undefined;
  const [timeZone, dueAt, attemptAt, attempts, state, sentAt = null, undeliverable] = row;
  return {
    timeZone: String(timeZone),
    dueAt: timeOf(dueAt),
    attemptAt: timeOf(attemptAt),
    attempts: Number(attempts),
    state: String(state),
    sentAt: sentAt === null ? undefined : timeOf(sentAt),
    isUndeliverable: undeliverable !== null,
  };
}

function timeOf(cell: Cell | undefined): Date {
  return new Date(isoTime(cell));
}
