import { type Cell, type Database, sqlTime } from '../engine/index.js';
import { repositoriesByNameSql } from '../warehouse/rules/repository-names.js';
import { isoTime } from '../warehouse/rules/times.js';
import { writeAuditEntry } from './audit-log.js';
import { lockUser } from './lock-user.js';
import { readInBatches, readStateRows } from './state-reads.js';
import type { StateStore, StateTables } from './state-store.js';

export interface Subscription {
  readonly userId: number;
  readonly repoId: number;
  /** The current name of the repository, `owner/name`. */
  readonly repoName: string;
  readonly subscribed: 0 | 1;
  /** The start of the latest subscription in ISO 8601; null if the user never subscribed. */
  readonly subscribedAt: string | null;
}

export interface Repository {
  readonly id: number;
  readonly name: string;
}

/** Thrown if the user has reached the maximum number of subscriptions. */
export class TooManySubscriptionsError extends Error {
  override readonly name = 'TooManySubscriptionsError';
}

/** Subscriptions of users to repositories. Methods throw the errors of the database. */
export class Subscriptions {
  readonly #database: Database;
  readonly #state: StateStore;

  constructor(database: Database, state: StateStore) {
    this.#database = database;
    this.#state = state;
  }

  /** Finds a repository by its current or former name, case-insensitively. */
  async findRepository(name: string): Promise<Repository | undefined> {
    const rows = await readStateRows(
      this.#database,
      `SELECT r.repo_id, r.repo_name
       FROM (${repositoriesByNameSql((column) => `${column} = :p1`)} LIMIT 1) named
       JOIN github_repos r ON r.repo_id = named.repo_id`,
      [name.toLowerCase()],
    );
    return rows.map(([id, current]) => ({ id: Number(id), name: String(current) }))[0];
  }

  /** Lists the active subscriptions of a user, newest first. */
  async list(userId: number): Promise<Subscription[]> {
    const rows = await readStateRows(
      this.#database,
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

  /** Yields all stored subscriptions of a user, also those that have ended, by the id of the repository. */
  readAll(userId: number, signal: AbortSignal): AsyncGenerator<Subscription> {
    const convert = ([id, name, subscribed, at]: readonly Cell[]) => {
      const repository = { id: Number(id), name: String(name ?? '') };
      return toSubscription(userId, repository, Number(subscribed) === 1 ? 1 : 0, at);
    };
    return readInBatches(BATCH_SIZE, convert, (last) =>
      readStateRows(this.#database, SELECT_ALL, [userId, Number(last?.[0] ?? -1)], signal),
    );
  }

  /** Subscribes; an existing subscription is not changed. Throws `TooManySubscriptionsError`. */
  async subscribe(userId: number, repository: Repository, now: Date): Promise<Subscription> {
    return this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      const existing = await readSubscription(tables, userId, repository.id);
      if (existing?.subscribed === 1) return toSubscription(userId, repository, 1, existing.at);
      await requireBelowLimit(tables, userId);
      const values = [userId, repository.id, sqlTime(now)];
      const statement = existing === undefined ? INSERT : UPDATE_SUBSCRIBED;
      await tables.run(statement, values);
      await auditChange(tables, 'subscribe', userId, repository, now);
      return toSubscription(userId, repository, 1, sqlTime(now));
    });
  }

  /** Ends the subscription if it exists. */
  async unsubscribe(userId: number, repository: Repository, now: Date): Promise<Subscription> {
    return this.#state.transaction(async (tables) => {
      await lockUser(tables, userId);
      const existing = await readSubscription(tables, userId, repository.id);
      if (existing?.subscribed === 1) {
        await tables.run(UPDATE_UNSUBSCRIBED, [userId, repository.id]);
        await auditChange(tables, 'unsubscribe', userId, repository, now);
      }
      return toSubscription(userId, repository, 0, existing?.at);
    });
  }
}

/** The maximum number of subscriptions per user, so that the list fits into one response. */
const MAX_SUBSCRIPTIONS = 1_000;

const BATCH_SIZE = 500;
const SELECT_ALL = `
  SELECT s.repo_id, r.repo_name, s.subscribed, s.subscribed_at
  FROM sys_subscribed_repos s LEFT JOIN github_repos r ON r.repo_id = s.repo_id
  WHERE s.user_id = :p1 AND s.repo_id > :p2 ORDER BY s.repo_id LIMIT ${BATCH_SIZE}`;

const INSERT =
  'INSERT INTO sys_subscribed_repos (user_id, repo_id, subscribed, subscribed_at) VALUES (:p1, :p2, 1, :p3)';
const UPDATE_SUBSCRIBED =
  'UPDATE sys_subscribed_repos SET subscribed = 1, subscribed_at = :p3 WHERE user_id = :p1 AND repo_id = :p2';
const UPDATE_UNSUBSCRIBED = 'UPDATE sys_subscribed_repos SET subscribed = 0 WHERE user_id = :p1 AND repo_id = :p2';

async function readSubscription(
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

async function requireBelowLimit(tables: StateTables, userId: number): Promise<void> {
  const rows = await tables.rows('SELECT repo_id FROM sys_subscribed_repos WHERE user_id = :p1 AND subscribed = 1', [
    userId,
  ]);
  if (rows.length < MAX_SUBSCRIPTIONS) return;
  throw new TooManySubscriptionsError(
    `A user may subscribe to ${MAX_SUBSCRIPTIONS} repositories. End another subscription first.`,
  );
}

function auditChange(
  tables: StateTables,
  action: string,
  userId: number,
  repository: Repository,
  at: Date,
): Promise<void> {
  return writeAuditEntry(tables, { at, actor: `user ${userId}`, action, subject: `repository ${repository.id}` });
}

function toSubscription(
  userId: number,
  { id, name }: Repository,
  subscribed: 0 | 1,
  at: Cell | undefined,
): Subscription {
  return {
    userId,
    repoId: id,
    repoName: name,
    subscribed,
    subscribedAt: at === undefined || at === null ? null : isoTime(at),
  };
}
