import { sqlTime } from '../../engine/index.js';
import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';

/** The number of stars that a repository received on a day, `YYYY-MM-DD`, and still has. */
export interface StarDay {
  readonly day: string;
  readonly stars: number;
}

/** A page of GitHub's star history of a repository. Pages have up to 30 weeks each, the newest week first. */
export interface StarPage {
  /** The days with stars. */
  readonly days: readonly StarDay[];
  /** The first day of the oldest week; undefined if the page has no weeks. */
  readonly oldestDay: string | undefined;
  readonly hasNext: boolean;
  readonly etag: string | undefined;
}

/**
 * Requests a page of the star history, from page 1. The reply is `absent` if GitHub has no such repository or does not show it. Rejects
 * with `GitHubError`.
 */
export function requestStarPage(
  client: GitHubClient,
  repoId: number,
  page: number,
  options: CallOptions & { readonly etag: string | undefined },
): Promise<GitHubReply> {
  return client.get(ROUTE, { id: repoId, page }, { ...options, apiVersion: API_VERSION });
}

/**
 * Reads a page that follows the pages down to `oldestDay`; undefined for page 1. Throws `GitHubError` if the page has an unknown form or
 * does not continue the previous one, so that a missing page is an error and never a wrong number.
 */
export function readStarPage(
  { data, hasNext, etag }: Extract<GitHubReply, { readonly state: 'found' }>,
  oldestDay: string | undefined,
): StarPage {
  const weeks = readWeeks(data);
  const [newest, oldest] = [weeks[0], weeks.at(-1)];
  // GitHub announces page 2. If it does not and page 1 is full, the answer lost its links, or the history has exactly 30 weeks.
  const isCut = oldestDay === undefined && weeks.length >= WEEKS_PER_PAGE && !hasNext;
  // A page that was announced is empty only if the repository has lost its stars since.
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

/** Whether a week begins seven days before the next one, or an hour more or less, because clocks change. */
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

/** The year 9999 begins. */
const MAX_SECONDS = 253_370_764_800;

function daysOf(week: Week): StarDay[] {
  return week.days.map((stars, index) => ({ day: dayAfter(week, index), stars })).filter(({ stars }) => stars > 0);
}

function dayAfter({ week }: Week, days: number): string {
  return sqlTime(new Date((week + days * 86_400) * 1000)).slice(0, 10);
}
