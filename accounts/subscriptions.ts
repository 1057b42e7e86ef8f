import { type Cell, type Database, sqlTime } from '../engine/index.js';
import { BEST_OF_NAME } from '../warehouse/rules/repository-names.js';
import { isoTime } from '../warehouse/rules/times.js';
import { audit } from './audit-log.js';
import { readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';
import { RemovedUserError } from './users.js';

export interface Subscription {
  readonly userId: number;
  readonly repoId: number;
  /** `owner/name` as it is now. */
  readonly repoName: string;
  readonly subscribed: 0 | 1;
  /** ISO 8601: since when, or when it was last; null for one that never was. */
  readonly subscribedAt: string | null;
}

export interface Repository {
  readonly id: number;
  readonly name: string;
}

/** The user has subscribed to as many repositories as one may. */
export class TooManySubscriptionsError extends Error {
  override readonly name = 'TooManySubscriptionsError';
}

/** The repositories of which users want to hear. Throws what its database throws. */
export class Subscriptions {
  constructor(
    private readonly database: Database,
    private readonly state: StateStore,
  ) {}

  /** The repository that a name, in any case, means. */
  async repository(name: string): Promise<Repository | undefined> {
    const rows = await readStateRows(
      this.database,
      `SELECT repo_id, repo_name FROM github_repos WHERE repo_name_lower = :p1
       ORDER BY ${BEST_OF_NAME} LIMIT 1`,
      [name.toLowerCase()],
    );
    return rows.map(([id, current]) => ({ id: Number(id), name: String(current) }))[0];
  }

  /** Current ones, newest first. */
  async of(userId: number): Promise<Subscription[]> {
    const rows = await readStateRows(
      this.database,
      `SELECT s.repo_id, r.repo_name, s.subscribed_at
       FROM sys_subscribed_repos s LEFT JOIN github_repos r ON r.repo_id = s.repo_id
       WHERE s.user_id = :p1 AND s.subscribed = 1 ORDER BY s.subscribed_at DESC, s.repo_id DESC`,
      [userId],
    );
    return rows.map(([id, name, at]) => ({
      userId,
      repoId: Number(id),
      repoName: String(name ?? ''),
      subscribed: 1,
      subscribedAt: isoTime(at),
    }));
  }

  /** Subscribes, or leaves the subscription as it is. Throws `TooManySubscriptionsError`. */
  async subscribe(userId: number, repository: Repository, now: Date): Promise<Subscription> {
    return this.state.transaction(async (tables) => {
      await requireUser(tables, userId);
      const there = await read(tables, userId, repository.id);
      if (there?.subscribed === 1) return subscription(userId, repository, 1, there.at);
      await requireRoom(tables, userId);
      const values = [userId, repository.id, sqlTime(now)];
      const statement = there === undefined ? INSERT : UPDATE_SUBSCRIBED;
      await tables.run(statement, values);
      await note(tables, 'subscribe', userId, repository, now);
      return subscription(userId, repository, 1, sqlTime(now));
    });
  }

  /** Ends the subscription, if there is one. */
  async unsubscribe(userId: number, repository: Repository, now: Date): Promise<Subscription> {
    return this.state.transaction(async (tables) => {
      await requireUser(tables, userId);
      const there = await read(tables, userId, repository.id);
      if (there?.subscribed === 1) {
        await tables.run(UPDATE_UNSUBSCRIBED, [userId, repository.id]);
        await note(tables, 'unsubscribe', userId, repository, now);
      }
      return subscription(userId, repository, 0, there?.at);
    });
  }
}

/** So that a user's list stays one answer. */
const MAX_SUBSCRIPTIONS = 1_000;

const INSERT =
  'INSERT INTO sys_subscribed_repos (user_id, repo_id, subscribed, subscribed_at) VALUES (:p1, :p2, 1, :p3)';
const UPDATE_SUBSCRIBED =
  'UPDATE sys_subscribed_repos SET subscribed = 1, subscribed_at = :p3 WHERE user_id = :p1 AND repo_id = :p2';
const UPDATE_UNSUBSCRIBED = 'UPDATE sys_subscribed_repos SET subscribed = 0 WHERE user_id = :p1 AND repo_id = :p2';

/** A user's changes wait for each other, and for their removal. */
async function requireUser(tables: StateTables, userId: number): Promise<void> {
  const rows = await tables.rows('SELECT id FROM sys_users WHERE id = :p1', [userId]);
  if (rows.length === 0) throw new RemovedUserError('This user was removed.');
}

async function read(
  tables: StateTables,
  userId: number,
  repoId: number,
): Promise<{ readonly subscribed: number; readonly at: Cell } | undefined> {
  const [row] = await tables.rows(
    'SELECT subscribed, subscribed_at FROM sys_subscribed_repos WHERE user_id = :p1 AND repo_id = :p2',
    [userId, repoId],
  );
  return row && { subscribed: Number(row[0]), at: row[1] ?? null };
}

async function requireRoom(tables: StateTables, userId: number): Promise<void> {
  const rows = await tables.rows('SELECT repo_id FROM sys_subscribed_repos WHERE user_id = :p1 AND subscribed = 1', [
    userId,
  ]);
  if (rows.length < MAX_SUBSCRIPTIONS) return;
  throw new TooManySubscriptionsError(`A user may subscribe to ${MAX_SUBSCRIPTIONS} repositories; end one first.`);
}

function note(tables: StateTables, action: string, userId: number, repository: Repository, at: Date): Promise<void> {
  return audit(tables, { at, actor: `user ${userId}`, action, subject: `repository ${repository.id}` });
}

function subscription(userId: number, { id, name }: Repository, subscribed: 0 | 1, at: Cell | undefined): Subscription {
  return {
    userId,
    repoId: id,
    repoName: name,
    subscribed,
    subscribedAt: at === undefined || at === null ? null : isoTime(at),
  };
}
