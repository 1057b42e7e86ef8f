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
  /** The oldest day of the pages that were read of a star history. */
  readonly oldestDay: string | undefined;
  /** The next page of an issue list contains what was updated since this time. */
  readonly updatedSince: string | undefined;
  /** The time of the next request, if it is not a fixed time after the last one. */
  readonly dueAt: string | undefined;
  /** The pages of issues that all have this time of update, in this run. It is not stored. */
  readonly sameTime?: SameTimePages | undefined;
  /** The pages of a feed in this run. It is not stored. */
  readonly poll?: FeedPoll;
  readonly triedAt: string | undefined;
  /** The time of the newest request after which the stored rows were those of GitHub. */
  readonly checkedAt: string | undefined;
  /** The time at which the whole source was read last. */
  readonly completedAt: string | undefined;
  /** The number of failures since the last success. */
  readonly failures: number;
  /** The last error; empty after a success. */
  readonly error: string;
}

/** The issues of pages that are read several times. */
export interface SameTimePages {
  /** Those of the previous pass; undefined in the first one. */
  readonly before: readonly string[] | undefined;
  readonly now: readonly string[];
  /** The number of passes before this one. */
  readonly passes: number;
}

/** The pages of a poll of a feed so far. Times are `YYYY-MM-DD HH:MM:SS`. */
export interface FeedPoll {
  /** The facts of the first page: its newest event, its etag, and the time until the next poll. */
  readonly newestAt: string | undefined;
  readonly etag: string | undefined;
  readonly pauseSeconds: number;
  /** The oldest event of all pages that follow each other without a gap. */
  readonly oldestAt: string | undefined;
  /** The number of the last page. */
  readonly page: number;
  /** The keys of its events. */
  readonly keys: ReadonlySet<string>;
  /** The lines of its events that are not known yet. */
  readonly lines: readonly string[];
  /** After the last page: until when the events are complete, and since when; undefined if the range of the previous poll continues. */
  readonly range?: { readonly firstAt: string | undefined; readonly lastAt: string };
}

export type FoundReply = Extract<GitHubReply, { readonly state: 'found' }>;

/**
 * A list of GitHub about one repository that is read page by page. The pages of several repositories are stored in one transaction,
 * together with the states after them. A source that is due is read until it is not due any more.
 */
export interface Source<Page = unknown> {
  readonly name: SourceName;
  /** The state with which a run begins. */
  start(state: SourceState, now: Date): SourceState;
  /** Whether a source without failures must be read. */
  isOutdated(state: SourceState, now: Date): boolean;
  /** Requests the next page. Rejects with `GitHubError`. */
  request(client: GitHubClient, repoId: number, state: SourceState, call: CallOptions, now: Date): Promise<GitHubReply>;
  /**
   * Reads a page of a repository. Returns it with the state after it. Throws `GitHubError` if it has an unknown form or does not continue
   * the previous one.
   */
  read(reply: FoundReply, repoId: number, state: SourceState, requestedAt: Date): ReadPage<Page>;
  /** The state after the next page has not changed. `pollSeconds` is the least time until the next request, if GitHub states it. */
  unchanged(state: SourceState, requestedAt: Date, pollSeconds?: number): SourceState;
  /** The state after a page of another form. */
  restart(state: SourceState): SourceState;
  /** Stores pages of several repositories, in the order in which they were read, and what follows from the states after them. */
  store(tables: Tables, pages: readonly SourcePage<Page>[]): Promise<void>;
  /** Removes what answers have of a repository that GitHub does not show any more. */
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
  /** Undefined for a page that has not changed. */
  readonly page: Page | undefined;
}

/** The newest page of each repository. */
export function newestPages<Page>(pages: readonly SourcePage<Page>[]): SourcePage<Page>[] {
  return [...new Map(pages.map((page) => [page.repoId, page])).values()];
}

/** The ids of the repositories, as a list in SQL. */
export function idsOf(pages: readonly SourcePage<unknown>[]): string {
  return [...new Set(pages.map(({ repoId }) => repoId))].join(', ');
}

/** A SELECT of ids on the staging database. */
export function selectIds(ids: readonly number[]): string {
  return `SELECT unnest([${ids.join(', ')}]::BIGINT[]) AS repo_id`;
}

/** The error of a source that GitHub does not have or does not show. */
export const ABSENT = 'GitHub has no such list, or does not show it.';

/** A source that is read to its end is up to date for this time. Runs every ten minutes then keep it at most six hours old. */
export const FRESH_MS = 5.5 * 3_600_000;
/** The pause after the first failure of a repository. Each further failure doubles it, up to a day. */
const FAILURE_MS = 3_600_000;
const MAX_FAILURE_MS = 24 * 3_600_000;

/** Whether a source must be read now: after failures, when the pause has ended. */
export function isDue(source: Source, state: SourceState, now: Date): boolean {
  const { triedAt, failures } = state;
  if (failures === 0) return source.isOutdated(state, now);
  return isOlder(triedAt, Math.min(MAX_FAILURE_MS, FAILURE_MS * 2 ** (failures - 1)), now);
}

export function isOlder(time: string | undefined, ms: number, now: Date): boolean {
  return time === undefined || now.getTime() - Date.parse(isoTime(time)) >= ms;
}

/** A time of the form `YYYY-MM-DD HH:MM:SS` that is earlier. */
export function secondsBefore(time: string, seconds: number): string {
  return sqlTime(new Date(Date.parse(isoTime(time)) - seconds * 1_000));
}

/** The state after a successful request at a time. */
export function succeeded(state: SourceState, requestedAt: Date): SourceState {
  return { ...state, triedAt: sqlTime(requestedAt), failures: 0, error: '' };
}

/** The state after a request with which the whole source was read. */
export function completed(state: SourceState, requestedAt: Date): SourceState {
  const time = sqlTime(requestedAt);
  return { ...succeeded(state, requestedAt), checkedAt: time, completedAt: time };
}

export function failed(state: SourceState, error: string, now: Date): SourceState {
  return { ...state, triedAt: sqlTime(now), failures: state.failures + 1, error };
}

/** The states of all repositories, by the id and the name of the source. */
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

/** Replaces the states of a source, by the id of the repository. */
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

/** The length of the columns. */
const MAX_TEXT = 255;
