import { sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { PlainValue, Store, Tables } from '../../warehouse/store/store.js';
import { callWithWaits, type WaitOptions } from '../client/call-with-waits.js';
import type { GitHubClient } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { recordHistory, removeHistory } from './counted-stars.js';
import { readStarPage, requestStarPage, type StarPage } from './star-history.js';
import {
  listTracked,
  removeUntracked,
  type SourceState,
  STARS,
  type TrackedRepository,
} from './tracked-repositories.js';

export interface FollowStarsOptions extends WaitOptions {
  /** The maximum number of requests to GitHub. Default: no maximum. */
  readonly budget?: number;
  readonly clock: () => Date;
  readonly onProgress?: (state: FollowStarsProgress) => void;
}

export interface FollowStarsProgress {
  readonly done: number;
  readonly due: number;
  readonly requests: number;
}

export interface FollowStarsSummary {
  readonly tracked: number;
  /** Repositories whose counts are up to date now. */
  readonly updated: number;
  /** Repositories that GitHub does not have or does not show. */
  readonly absent: number;
  /** Repositories whose history GitHub did not send, or sent in an unknown form. They are tried again later. */
  readonly failed: number;
  /** Repositories that are still due. */
  readonly left: number;
  readonly requests: number;
  readonly seconds: number;
  /** Why the run stopped before the end. To continue, run the same command again. */
  readonly stopped?: string;
}

/**
 * Reads the star histories of the tracked repositories that are due, those of collections first. Each page is one
 * transaction, so that an interrupted run continues with the next page. Rejects with `AlreadyRunningError` while another
 * run works on this database.
 */
export function followStars(
  store: Store,
  client: GitHubClient,
  options: FollowStarsOptions,
): Promise<FollowStarsSummary> {
  return store.runExclusively('following of tracked repositories', 0, () => new Run(store, client, options).all());
}

/** A history is up to date for this time. */
const FRESH_MS = 6 * 3_600_000;
/** The whole history is read again after this time, because stars of older days can be taken back. */
const WHOLE_MS = 30 * 86_400_000;
/** The pause after the first failure of a repository. Each further failure doubles it, up to a day. */
const FAILURE_MS = 3_600_000;
const MAX_FAILURE_MS = 24 * 3_600_000;
/** After this number of consecutive failures, GitHub probably fails for all repositories. */
const MAX_FAILURES = 5;
const ABSENT = 'GitHub has no such repository, or does not show it.';

class Run {
  readonly #store: Store;
  readonly #client: GitHubClient;
  readonly #options: FollowStarsOptions;
  readonly #started = performance.now();
  readonly #counts = { updated: 0, absent: 0, failed: 0 };
  #tracked = 0;
  #due: readonly TrackedRepository[] = [];
  #requests = 0;
  #failures = 0;

  constructor(store: Store, client: GitHubClient, options: FollowStarsOptions) {
    this.#store = store;
    this.#client = client;
    this.#options = options;
  }

  async all(): Promise<FollowStarsSummary> {
    const { clock, signal } = this.#options;
    const tracked = await this.#store.write(async (tables) => {
      const all = await listTracked(tables);
      await removeUntracked(tables, all);
      return all;
    });
    this.#tracked = tracked.length;
    this.#due = tracked.filter(({ stars }) => isDue(stars, clock()));
    try {
      for (const repository of this.#due) {
        await this.#follow(repository);
        this.#report();
      }
      return this.#summary();
    } catch (error) {
      if (signal.aborted) return this.#summary((signal.reason as Error).message);
      if (error instanceof GitHubError || error instanceof BudgetError) return this.#summary(error.message);
      throw error;
    }
  }

  async #follow({ id, stars }: TrackedRepository): Promise<void> {
    const isAbandoned = stars.nextPage > 1 && isOlder(stars.checkedAt, WHOLE_MS, this.#options.clock());
    let state: SourceState = isAbandoned ? { ...stars, nextPage: 1, oldestDay: undefined } : stars;
    try {
      do {
        const page = await this.#fetch(id, state);
        this.#failures = 0;
        const now = this.#options.clock();
        const before = state;
        if (page === 'absent') {
          this.#counts.absent++;
          await this.#store.write(async (tables) => {
            await writeState(tables, id, failed(before, ABSENT, now));
            await removeHistory(tables, id);
          });
          return;
        }
        const after = page === 'unchanged' ? checked(before, now) : advance(before, page, now);
        await this.#store.write(async (tables) => {
          if (page !== 'unchanged') await writeDays(tables, id, page, before);
          await writeState(tables, id, after);
          await recordHistory(tables, id, after);
        });
        state = after;
        // The newest days of a history that was interrupted for hours are read again.
      } while (state.nextPage > 1 || isDue(state, this.#options.clock()));
      this.#counts.updated++;
    } catch (error) {
      if (!(error instanceof GitHubError) || !isOfRepository(error)) throw error;
      this.#counts.failed++;
      // After an incomplete history, the next attempt starts with page 1.
      const rest = error.failure === 'unreadable' ? { ...state, nextPage: 1, oldestDay: undefined } : state;
      await this.#store.write((tables) => writeState(tables, id, failed(rest, error.message, this.#options.clock())));
      if (++this.#failures >= MAX_FAILURES) throw error;
    }
  }

  async #fetch(id: number, state: SourceState): Promise<StarPage | 'unchanged' | 'absent'> {
    const { budget = Number.POSITIVE_INFINITY, clock } = this.#options;
    const etag = isWholeHistoryDue(state, clock()) ? undefined : state.etag;
    const reply = await callWithWaits((call) => {
      if (this.#requests >= budget) throw new BudgetError(budget);
      this.#requests++;
      return requestStarPage(this.#client, id, state.nextPage, { ...call, etag });
    }, this.#options);
    return reply.state === 'found' ? readStarPage(reply, state.oldestDay) : reply.state;
  }

  #report(): void {
    const { updated, absent, failed } = this.#counts;
    const done = updated + absent + failed;
    this.#options.onProgress?.({ done, due: this.#due.length, requests: this.#requests });
  }

  #summary(stopped?: string): FollowStarsSummary {
    const { updated, absent, failed } = this.#counts;
    return {
      tracked: this.#tracked,
      ...this.#counts,
      left: this.#due.length - updated - absent - failed,
      requests: this.#requests,
      seconds: (performance.now() - this.#started) / 1000,
      ...(stopped !== undefined && { stopped }),
    };
  }
}

class BudgetError extends Error {
  constructor(budget: number) {
    super(`The budget of ${budget} ${budget === 1 ? 'request' : 'requests'} is used up.`);
  }
}

/** Whether a failure may concern one repository, so that the next one can succeed. */
function isOfRepository({ failure }: GitHubError): boolean {
  return failure !== 'rate-limited' && failure !== 'unauthorized';
}

function isDue({ nextPage, triedAt, checkedAt, failures }: SourceState, now: Date): boolean {
  if (failures > 0) return isOlder(triedAt, Math.min(MAX_FAILURE_MS, FAILURE_MS * 2 ** (failures - 1)), now);
  return nextPage > 1 || isOlder(checkedAt, FRESH_MS, now);
}

function isWholeHistoryDue({ completedAt }: SourceState, now: Date): boolean {
  return isOlder(completedAt, WHOLE_MS, now);
}

function isOlder(time: string | undefined, ms: number, now: Date): boolean {
  return time === undefined || now.getTime() - Date.parse(isoTime(time)) >= ms;
}

/** The state after a page. Page 1 has 210 days, so that it is enough after a recent whole history. */
function advance(state: SourceState, { oldestDay, hasNext, etag }: StarPage, now: Date): SourceState {
  const time = sqlTime(now);
  const isFirst = state.nextPage === 1;
  const common = { ...state, triedAt: time, failures: 0, error: '', ...(isFirst && { etag, checkedAt: time }) };
  if (!hasNext) return { ...common, nextPage: 1, oldestDay: undefined, completedAt: time };
  if (isFirst && !isWholeHistoryDue(state, now)) return { ...common, oldestDay: undefined };
  return { ...common, nextPage: state.nextPage + 1, oldestDay };
}

function checked(state: SourceState, now: Date): SourceState {
  const time = sqlTime(now);
  return { ...state, triedAt: time, checkedAt: time, failures: 0, error: '' };
}

function failed(state: SourceState, error: string, now: Date): SourceState {
  return { ...state, triedAt: sqlTime(now), failures: state.failures + 1, error };
}

/**
 * Replaces the days of a page: from its oldest day, or all older days if it is the last page, up to the days of the
 * previous page. `state` is the one before the page. A week that begins while the history is read moves weeks to the next
 * page; the days that the previous page has are kept. Equal days are not written, because each write makes stored answers invalid.
 */
async function writeDays(tables: Tables, id: number, page: StarPage, { oldestDay }: SourceState): Promise<void> {
  const from = page.hasNext ? (page.oldestDay ?? MIN_DAY) : MIN_DAY;
  const before = oldestDay ?? MAX_DAY;
  const range = [id, from, before];
  const rows = await tables.rows(`SELECT day, stars FROM github_star_days WHERE ${IN_RANGE}`, range);
  const stored = new Map(rows.map(([day, stars]) => [String(day), Number(stars)]));
  const days = page.days.filter(({ day }) => day < before);
  if (days.length === stored.size && days.every(({ day, stars }) => stored.get(day) === stars)) return;
  await tables.run(`DELETE FROM github_star_days WHERE ${IN_RANGE}`, range);
  await tables.insertRows(
    'github_star_days',
    days.map(({ day, stars }) => [id, day, stars]),
  );
}

const IN_RANGE = 'repo_id = :p1 AND day >= :p2 AND day < :p3';

const MIN_DAY = '1000-01-01';
const MAX_DAY = '9999-12-31';

async function writeState(tables: Tables, id: number, state: SourceState): Promise<void> {
  const { etag = '', nextPage, oldestDay = null, triedAt = null, checkedAt = null, completedAt = null } = state;
  const isKept = etag !== '' && etag.length <= MAX_TEXT;
  const row: PlainValue[] = [id, STARS, isKept ? etag : null, nextPage, oldestDay, triedAt, checkedAt, completedAt];
  await tables.run('DELETE FROM sys_repo_sources WHERE repo_id = :p1 AND source = :p2', [id, STARS]);
  await tables.insertRows('sys_repo_sources', [[...row, state.failures, state.error.slice(0, MAX_TEXT)]]);
}

/** The length of the columns. */
const MAX_TEXT = 255;
