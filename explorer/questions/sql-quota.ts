import { lockUser } from '../../accounts/lock-user.js';
import { readStateRows } from '../../accounts/state-reads.js';
import type { StateStore, StateTables } from '../../accounts/state-store.js';
import type { Database } from '../../engine/index.js';

export interface QuotaUser {
  readonly id: number;
  readonly isTrusted: boolean;
}

/** The number of times that a user may use question to SQL per UTC day, and the number of uses today. */
export interface QuotaUse {
  readonly limit: number;
  readonly used: number;
}

/** The daily number of uses of question to SQL per user. */
const DAILY_QUOTA = { user: 30, trusted: 2_000 } as const;

/** Thrown if the user has used the whole quota of the day. */
export class QuotaExceededError extends Error {
  override readonly name = 'QuotaExceededError';

  constructor(
    readonly use: QuotaUse,
    /** Seconds until the next UTC day. */
    readonly retryAfterSeconds: number,
  ) {
    super(`You may generate SQL ${use.limit} times per UTC day; retry in ${retryAfterSeconds} s.`);
  }
}

/** The quotas of question to SQL. The quotas are exact across all processes, because the row of the user is locked. */
export class SqlQuota {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Reads the quota of the day without counting a use. */
  async read(user: QuotaUser, now: Date): Promise<QuotaUse> {
    const [[used] = []] = await readStateRows(this.#database, SELECT, [user.id, dayOf(now)]);
    return useOf(user, Number(used ?? 0));
  }

  /** Counts one use before it begins. Throws `QuotaExceededError` and `RemovedUserError`. */
  async take(user: QuotaUser, now: Date): Promise<QuotaUse> {
    return this.#state.transaction(async (tables) => {
      await lockUser(tables, user.id);
      const before = await readUsed(tables, user.id, now);
      const use = useOf(user, before ?? 0);
      if (use.used >= use.limit) throw new QuotaExceededError(use, secondsToNextDay(now));
      await tables.run(before === undefined ? INSERT : UPDATE, [user.id, dayOf(now), use.used + 1]);
      return { ...use, used: use.used + 1 };
    });
  }

  /** Reverts a use that was counted at `takenAt`, after a failure of the service. */
  async giveBack(user: QuotaUser, takenAt: Date): Promise<QuotaUse> {
    return this.#state.transaction(async (tables) => {
      const used = Math.max(0, ((await readUsed(tables, user.id, takenAt)) ?? 0) - 1);
      await tables.run(UPDATE, [user.id, dayOf(takenAt), used]);
      return useOf(user, used);
    });
  }
}

const SELECT = 'SELECT used FROM explorer_sql_quotas WHERE user_id = :p1 AND day = :p2';
const INSERT = 'INSERT INTO explorer_sql_quotas (user_id, day, used) VALUES (:p1, :p2, :p3)';
const UPDATE = 'UPDATE explorer_sql_quotas SET used = :p3 WHERE user_id = :p1 AND day = :p2';
const DAY_MS = 86_400_000;

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function useOf({ isTrusted }: QuotaUser, used: number): QuotaUse {
  return { limit: isTrusted ? DAILY_QUOTA.trusted : DAILY_QUOTA.user, used };
}

async function readUsed(tables: StateTables, userId: number, now: Date): Promise<number | undefined> {
  const [row] = await tables.rows(SELECT, [userId, dayOf(now)]);
  return row && Number(row[0]);
}

function secondsToNextDay(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
}
