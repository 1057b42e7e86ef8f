import { type Cell, sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { PlainValue, Tables } from '../../warehouse/store/store.js';
import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import type { SourceName } from './tracking-progress.js';

/** How far a source was read for a repository. Times are `YYYY-MM-DD HH:MM:SS`. */
export interface SourceState {
  readonly etag: string | undefined;
  /** The next page to read. */
  readonly nextPage: number;
  /** For a star history: the oldest day of the pages that were read. */
  readonly oldestDay: string | undefined;
  /** For an issue list: the next page contains the issues that were updated since this time. */
  readonly updatedSince: string | undefined;
  /** The time of the next request. Undefined if it is a fixed time after the last request. */
  readonly dueAt: string | undefined;
  /** During a run: the pages of issues that all have the same update time. These pages are not stored. */
  readonly sameTime?: SameTimePages | undefined;
  /** During a run: the pages of the current poll of a feed. These pages are not stored. */
  readonly poll?: FeedPoll;
  readonly triedAt: string | undefined;
  /** The time of the last request after which the stored rows were equal to those on GitHub. */
  readonly checkedAt: string | undefined;
  /** The time at which the whole source was last read. */
  readonly completedAt: string | undefined;
  /** The number of failures since the last success. */
  readonly failures: number;
  /** The last error; empty after a success. */
  readonly error: string;
}

/** The issues of pages that are read in several passes. */
export interface SameTimePages {
  /** The issues in the previous pass; undefined in the first pass. */
  readonly before: readonly string[] | undefined;
  readonly now: readonly string[];
  /** The number of previous passes. */
  readonly passes: number;
}

/** The pages of a poll of a feed so far. Times are `YYYY-MM-DD HH:MM:SS`. */
export interface FeedPoll {
  /** The following three facts are from the first page: its newest event, its etag, and the time until the next poll. */
  readonly newestAt: string | undefined;
  readonly etag: string | undefined;
  readonly pauseSeconds: number;
  /** The oldest event of all pages, if no event is missing between the pages. */
  readonly oldestAt: string | undefined;
  /** The number of the last page that was read. */
  readonly page: number;
  /** The keys of the events of this page. */
  readonly keys: ReadonlySet<string>;
  /** The lines of the events of this page that are not known yet. */
  readonly lines: readonly string[];
  /**
   * Set after the last page: the time range for which the events are complete. `firstAt` is undefined if the range of the previous poll
   * continues.
   */
  readonly range?: { readonly firstAt: string | undefined; readonly lastAt: string };
}

export type FoundReply = Extract<GitHubReply, { readonly state: 'found' }>;

/**
 * A kind of list on GitHub, one per repository, that is read page by page. The pages of several repositories are stored in one transaction,
 * together with the new states. A due source is read until it is no longer due.
 */
export interface Source<Page = unknown> {
  readonly name: SourceName;
  /** Returns the state with which a run begins. */
  start(state: SourceState, now: Date): SourceState;
  /** Whether the source must be read, if its last request did not fail. */
  isOutdated(state: SourceState, now: Date): boolean;
  /** Requests the next page. Rejects with `GitHubError`. */
  request(client: GitHubClient, repoId: number, state: SourceState, call: CallOptions, now: Date): Promise<GitHubReply>;
  /**
   * Reads a page of a repository. Returns the page and the new state. Throws `GitHubError` if the page has an unknown form or does not
   * continue the previous page.
   */
  read(reply: FoundReply, repoId: number, state: SourceState, requestedAt: Date): ReadPage<Page>;
  /**
   * Returns the new state if the next page has not changed. `pollSeconds` is the minimum time until the next request, if GitHub sends one.
   */
  unchanged(state: SourceState, requestedAt: Date, pollSeconds?: number): SourceState;
  /** Returns the new state after a page with an unknown form. */
  restart(state: SourceState): SourceState;
  /** Stores pages of several repositories, in the order in which they were read, and everything that depends on the new states. */
  store(tables: Tables, pages: readonly SourcePage<Page>[]): Promise<void>;
  /** Removes the data in answers that come from a repository that is no longer visible on GitHub. */
  remove(tables: Tables, repoId: number, now: Date): Promise<void>;
}

export interface ReadPage<Page> {
  readonly page: Page;
  readonly after: SourceState;
}

export interface SourcePage<Page> {
  readonly repoId: number;
  readonly before: SourceState;
  readonly after: SourceState;
  /** Undefined if the page has not changed. */
  readonly page: Page | undefined;
}

/** Returns the newest page of each repository. */
export function newestPages<Page>(pages: readonly SourcePage<Page>[]): SourcePage<Page>[] {
  return [...new Map(pages.map((page) => [page.repoId, page])).values()];
}

/** Returns the repository ids of the pages as an SQL list. */
export function idsOf(pages: readonly SourcePage<unknown>[]): string {
  return [...new Set(pages.map(({ repoId }) => repoId))].join(', ');
}

/** Returns a SELECT of these ids on the staging database. */
export function selectIds(ids: readonly number[]): string {
  return `SELECT unnest([${ids.join(', ')}]::BIGINT[]) AS repo_id`;
}

/** The error for a source that does not exist on GitHub or is not visible. */
export const ABSENT = 'GitHub has no such list, or does not show it.';

/** How long a source is up to date after it was read to its end. With runs every ten minutes, it is then at most six hours old. */
export const FRESH_MS = 5.5 * 3_600_000;
/** The pause after the first failure of a repository. Each further failure doubles the pause, up to a day. */
const FAILURE_MS = 3_600_000;
const MAX_FAILURE_MS = 24 * 3_600_000;

/** Whether a source must be read now. After failures, it must wait until the pause has ended. */
export function isDue(source: Source, state: SourceState, now: Date): boolean {
  const { triedAt, failures } = state;
  if (failures === 0) return source.isOutdated(state, now);
  return isOlder(triedAt, Math.min(MAX_FAILURE_MS, FAILURE_MS * 2 ** (failures - 1)), now);
}

export function isOlder(time: string | undefined, ms: number, now: Date): boolean {
  return time === undefined || now.getTime() - Date.parse(isoTime(time)) >= ms;
}

/** Returns the time that is `seconds` earlier. Times have the form `YYYY-MM-DD HH:MM:SS`. */
export function secondsBefore(time: string, seconds: number): string {
  return sqlTime(new Date(Date.parse(isoTime(time)) - seconds * 1_000));
}

/** Returns the state after a successful request. */
export function succeeded(state: SourceState, requestedAt: Date): SourceState {
  return { ...state, triedAt: sqlTime(requestedAt), failures: 0, error: '' };
}

/** Returns the state after the request that completed the source. */
export function completed(state: SourceState, requestedAt: Date): SourceState {
  const time = sqlTime(requestedAt);
  return { ...succeeded(state, requestedAt), checkedAt: time, completedAt: time };
}

export function failed(state: SourceState, error: string, now: Date): SourceState {
  return { ...state, triedAt: sqlTime(now), failures: state.failures + 1, error };
}

/** Reads the states of all repositories. The keys combine the repository id and the name of the source. */
export async function readStates(tables: Pick<Tables, 'rows'>): Promise<Map<string, SourceState>> {
  return toStates(await tables.rows(SELECT));
}

function toStates(rows: readonly (readonly Cell[])[]): Map<string, SourceState> {
  return new Map(
    rows.map(([id, source, nextPage, failures, error, ...texts]) => {
      const text = (index: number) => (texts[index] == null ? undefined : String(texts[index]));
      const state: SourceState = {
        nextPage: Number(nextPage),
        failures: Number(failures),
        error: String(error),
        etag: text(0),
        oldestDay: text(1),
        updatedSince: text(2),
        triedAt: text(3),
        checkedAt: text(4),
        completedAt: text(5),
        dueAt: text(6),
      };
      return [`${id} ${source}`, state];
    }),
  );
}

const SELECT = `
  SELECT repo_id, source, next_page, failures, error, etag, oldest_day, updated_since, tried_at, checked_at, completed_at,
    due_at
  FROM sys_repo_sources`;

/** The state of a source before its first request. */
export const NEVER_READ: SourceState = {
  etag: undefined,
  nextPage: 1,
  oldestDay: undefined,
  updatedSince: undefined,
  dueAt: undefined,
  triedAt: undefined,
  checkedAt: undefined,
  completedAt: undefined,
  failures: 0,
  error: '',
};

/** Replaces the states of a source. The keys are repository ids. */
export async function writeStates(
  tables: Tables,
  source: SourceName,
  states: ReadonlyMap<number, SourceState>,
): Promise<void> {
  const ids = [...states.keys()].join(', ');
  await tables.run(`DELETE FROM sys_repo_sources WHERE source = :p1 AND repo_id IN (${ids})`, [source]);
  await tables.insertRows(
    'sys_repo_sources',
    [...states].map(([id, state]) => toRow(id, source, state)),
  );
}

function toRow(id: number, source: SourceName, state: SourceState): PlainValue[] {
  const { etag = '', nextPage, oldestDay = null, triedAt = null, checkedAt = null, completedAt = null } = state;
  const { failures, error, updatedSince = null, dueAt = null } = state;
  const isKept = etag !== '' && etag.length <= MAX_TEXT;
  return [
    ...[id, source, isKept ? etag : null, nextPage, oldestDay, triedAt, checkedAt, completedAt],
    ...[failures, error.slice(0, MAX_TEXT), updatedSince, dueAt],
  ];
}

/** The length of the text columns. */
const MAX_TEXT = 255;
