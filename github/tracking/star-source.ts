import { sqlTime } from '../../engine/index.js';
import type { Tables } from '../../warehouse/store/store.js';
import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { recordHistories, removeHistory } from './counted-stars.js';
import { FRESH_MS, isOlder, newestPages, type Source, type SourcePage, type SourceState, succeeded } from './source.js';

/** The whole history is read again after this time, because stars of older days can be removed. */
const WHOLE_MS = 30 * 86_400_000;

/** The stars of each day. If the whole history was read recently, only the newest page is read, which contains 210 days. */
export const STAR_SOURCE: Source<StarPage> = {
  name: 'stars',
  start: (state, now) => (state.nextPage > 1 && isOlder(state.checkedAt, WHOLE_MS, now) ? restart(state) : state),
  isOutdated: ({ nextPage, checkedAt }, now) => nextPage > 1 || isOlder(checkedAt, FRESH_MS, now),
  request: (client, repoId, state, call, now) => {
    const etag = isWholeHistoryDue(state, now) ? undefined : state.etag;
    return requestStarPage(client, repoId, state.nextPage, { ...call, etag });
  },
  read: (reply, _, state, requestedAt) => {
    const page = readStarPage(reply, state.oldestDay);
    return { page, after: advance(state, page, requestedAt) };
  },
  unchanged: (state, requestedAt) => ({ ...succeeded(state, requestedAt), checkedAt: sqlTime(requestedAt) }),
  restart,
  store: async (tables, pages) => {
    await writeDays(tables, pages);
    await recordHistories(tables, newestPages(pages));
  },
  remove: removeHistory,
};

function restart(state: SourceState): SourceState {
  return { ...state, nextPage: 1, oldestDay: undefined };
}

function isWholeHistoryDue({ completedAt }: SourceState, now: Date): boolean {
  return isOlder(completedAt, WHOLE_MS, now);
}

/** Returns the state after a page. */
function advance(state: SourceState, { oldestDay, hasNext, etag }: StarPage, requestedAt: Date): SourceState {
  const time = sqlTime(requestedAt);
  const isFirst = state.nextPage === 1;
  const common = { ...succeeded(state, requestedAt), ...(isFirst && { etag, checkedAt: time }) };
  if (!hasNext) return { ...restart(common), completedAt: time };
  if (isFirst && !isWholeHistoryDue(state, requestedAt)) return { ...common, oldestDay: undefined };
  return { ...common, nextPage: state.nextPage + 1, oldestDay };
}

/**
 * Replaces the stored days that the pages cover. A page covers the days from its oldest day, or from the first day if it is the last page,
 * up to the days of the previous page. If a new week begins while the history is read, weeks move to the next page; then the days from the
 * previous page are kept. Equal days are not written, because each write invalidates cached answers.
 */
async function writeDays(tables: Tables, pages: readonly SourcePage<StarPage>[]): Promise<void> {
  const parts = pages.flatMap(({ repoId, before: { oldestDay = MAX_DAY }, page }) =>
    page === undefined ? [] : [{ repoId, before: oldestDay, from: (page.hasNext && page.oldestDay) || MIN_DAY, page }],
  );
  if (parts.length === 0) return;
  const daysOf = new Map<number, Map<string, number>>(parts.map(({ repoId }) => [repoId, new Map()]));
  const rangesOf = (some: typeof parts) =>
    some.map(({ repoId, from, before }) => `(repo_id = ${repoId} AND day >= '${from}' AND day < '${before}')`);
  for (const [id, day, stars] of await tables.rows(
    `SELECT repo_id, day, stars FROM github_star_days WHERE ${rangesOf(parts).join(' OR ')}`,
  ))
    daysOf.get(Number(id))?.set(String(day), Number(stars));
  const changed = new Set<number>();
  for (const { repoId, from, before, page } of parts) {
    const stored = daysOf.get(repoId) ?? new Map<string, number>();
    const days = page.days.filter(({ day }) => day < before);
    const replaced = [...stored.keys()].filter((day) => day >= from && day < before);
    if (days.length === replaced.length && days.every(({ day, stars }) => stored.get(day) === stars)) continue;
    for (const day of replaced) stored.delete(day);
    for (const { day, stars } of days) stored.set(day, stars);
    changed.add(repoId);
  }
  if (changed.size === 0) return;
  const written = rangesOf(parts.filter(({ repoId }) => changed.has(repoId)));
  await tables.run(`DELETE FROM github_star_days WHERE ${written.join(' OR ')}`);
  await tables.insertRows(
    'github_star_days',
    [...changed].flatMap((id) => [...(daysOf.get(id) ?? [])].map(([day, stars]) => [id, day, stars])),
  );
}

const MIN_DAY = '1000-01-01';
const MAX_DAY = '9999-12-31';

/** The number of stars that a repository received on a day, `YYYY-MM-DD`, and still has. */
interface StarDay {
  readonly day: string;
  readonly stars: number;
}

/** A page of GitHub's star history of a repository. Pages have up to 30 weeks each, the newest week first. */
interface StarPage {
  /** The days with stars. */
  readonly days: readonly StarDay[];
  /** The first day of the oldest week; undefined if the page has no weeks. */
  readonly oldestDay: string | undefined;
  readonly hasNext: boolean;
  readonly etag: string | undefined;
}

/**
 * Requests a page of the star history, from page 1. The reply is `absent` if the repository does not exist or is not visible. Rejects with
 * `GitHubError`.
 */
function requestStarPage(
  client: GitHubClient,
  repoId: number,
  page: number,
  options: CallOptions & { readonly etag: string | undefined },
): Promise<GitHubReply> {
  return client.get(ROUTE, { id: repoId, page }, { ...options, apiVersion: API_VERSION });
}

/**
 * Reads a page. `oldestDay` is the oldest day of the previous pages; undefined for page 1. Throws `GitHubError` if the page has an unknown
 * form or does not continue the previous page, so that a missing page causes an error and not a wrong count.
 */
function readStarPage(
  { data, hasNext, etag }: Extract<GitHubReply, { readonly state: 'found' }>,
  oldestDay: string | undefined,
): StarPage {
  const weeks = readWeeks(data);
  const [newest, oldest] = [weeks[0], weeks.at(-1)];
  // If page 1 is full but has no link to page 2, the response has lost its links, or the history has exactly 30 weeks.
  const isCut = oldestDay === undefined && weeks.length >= WEEKS_PER_PAGE && !hasNext;
  // A page that the previous page linked to is only empty if the repository has lost stars in the meantime.
  const isMissing = newest === undefined && (oldestDay !== undefined || hasNext);
  const isApart = newest !== undefined && oldestDay !== undefined && dayAfter(newest, 7) < oldestDay;
  if (isCut || isMissing || isApart) throw new GitHubError('unreadable', 'GitHub sent an incomplete star history.');
  return { days: weeks.flatMap(daysOf), oldestDay: oldest && dayAfter(oldest, 0), hasNext, etag };
}

const ROUTE = 'GET /repositories/{id}/stargazers/history';
const API_VERSION = '2026-03-10';
const WEEKS_PER_PAGE = 30;
const WEEK_SECONDS = 7 * 86_400;

interface Week {
  /** The first day of the week, in seconds since 1970. */
  readonly week: number;
  readonly total: number;
  readonly days: readonly number[];
}

function readWeeks(data: unknown): readonly Week[] {
  if (Array.isArray(data) && data.every(isWeek) && data.every((week, index) => isWeekBefore(week, data[index - 1])))
    return data;
  throw new GitHubError('unreadable', 'GitHub sent a star history in an unknown form.');
}

/** Whether a week begins seven days before the next one, or an hour more or less, because of daylight saving time. */
function isWeekBefore({ week }: Week, next: Week | undefined): boolean {
  return next === undefined || Math.abs(next.week - week - WEEK_SECONDS) <= 3_600;
}

function isWeek(value: unknown): value is Week {
  if (typeof value !== 'object' || value === null) return false;
  const { week, total, days } = value as Partial<Record<keyof Week, unknown>>;
  if (!isCount(week) || week > MAX_SECONDS || !Array.isArray(days) || days.length !== 7) return false;
  return days.every(isCount) && days.reduce((sum, stars) => sum + stars, 0) === total;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The start of the year 9999. */
const MAX_SECONDS = 253_370_764_800;

function daysOf(week: Week): StarDay[] {
  return week.days.map((stars, index) => ({ day: dayAfter(week, index), stars })).filter(({ stars }) => stars > 0);
}

function dayAfter({ week }: Week, days: number): string {
  return sqlTime(new Date((week + days * 86_400) * 1000)).slice(0, 10);
}
