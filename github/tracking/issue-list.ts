import { sqlTime } from '../../engine/index.js';
import type { ListedAccount } from '../../warehouse/import/facts/add-accounts.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { isId } from '../lookups/github-records.js';
import { type FoundReply, type SourceState, secondsBefore } from './source.js';

/** An issue or pull request. Times are `YYYY-MM-DD HH:MM:SS`. */
export interface ListedIssue {
  readonly number: number;
  readonly isPullRequest: boolean;
  /** The account that opened it; undefined if GitHub does not name it. */
  readonly user: ListedAccount | undefined;
  readonly openedAt: string;
  readonly mergedAt: string | undefined;
  readonly updatedAt: string;
}

/** A page of up to 100 issues and pull requests, those that were updated longest ago first. */
export interface IssuePage {
  readonly issues: readonly ListedIssue[];
  readonly isLast: boolean;
  readonly etag: string | undefined;
}

type Position = Pick<SourceState, 'updatedSince' | 'nextPage' | 'etag'>;

/**
 * Requests the page of a repository's list with what was updated at `updatedSince` or later. The reply is `absent` if GitHub has no such
 * repository, does not show it, or if the repository has no issues. Rejects with `GitHubError`.
 */
export function requestIssuePage(
  client: GitHubClient,
  repoId: number,
  { updatedSince, nextPage, etag }: Position,
  options: CallOptions,
): Promise<GitHubReply> {
  // The last second again, because GitHub may exclude the time itself.
  const since = updatedSince && isoTime(secondsBefore(updatedSince, 1));
  const position = { page: nextPage, ...(since !== undefined && { since }) };
  return client.get(ROUTE, { ...ALL, id: repoId, ...position }, { ...options, etag });
}

/**
 * Reads a page. Throws `GitHubError` if the page has an unknown form or another order, so that a missing issue is an error and never a
 * wrong number.
 */
export function readIssuePage({ data, hasNext, etag }: FoundReply, { updatedSince, nextPage }: Position): IssuePage {
  if (!Array.isArray(data)) throw unreadable();
  const issues = data.map(readIssue);
  const first = updatedSince === undefined ? '' : secondsBefore(updatedSince, 1);
  const isSorted = issues.every(({ updatedAt }, index) => updatedAt >= (issues[index - 1]?.updatedAt ?? first));
  const isMissing = hasNext && issues.length === 0;
  if (!isSorted || isMissing || nextPage > MAX_PAGE || new Set(issues.map(({ number }) => number)).size < issues.length)
    throw unreadable();
  // A full page whose links were lost is not the last one.
  return { issues, isLast: !hasNext && issues.length < PER_PAGE, etag };
}

const ROUTE = 'GET /repositories/{id}/issues';
const PER_PAGE = 100;
/** More issues never have the same time of update. A server that ignores `page` would send the first page forever. */
const MAX_PAGE = 200;
const ALL = { state: 'all', sort: 'updated', direction: 'asc', per_page: PER_PAGE } as const;

function readIssue(data: unknown): ListedIssue {
  const { number, user, created_at, updated_at, pull_request } = objectOf(data);
  const isPullRequest = pull_request !== undefined && pull_request !== null;
  const mergedAt = isPullRequest ? objectOf(pull_request).merged_at : undefined;
  if (!isId(number)) throw unreadable();
  return {
    number,
    isPullRequest,
    user: user === null || user === undefined ? undefined : readUser(objectOf(user)),
    openedAt: timeOf(created_at),
    mergedAt: mergedAt === null || mergedAt === undefined ? undefined : timeOf(mergedAt),
    updatedAt: timeOf(updated_at),
  };
}

function readUser({ id, login, type }: Readonly<Record<string, unknown>>): ListedIssue['user'] {
  if (!isId(id) || typeof login !== 'string' || login === '') throw unreadable();
  return id === GHOST ? undefined : { id, login, type: TYPES.find((known) => known === type) ?? '' };
}

/** The account types that the tables know. */
const TYPES = ['User', 'Bot', 'Organization'];
/** The account that GitHub shows instead of all deleted accounts. */
const GHOST = 10_137;

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value as Record<string, unknown>;
}

function timeOf(value: unknown): string {
  if (typeof value !== 'string' || !TIME.test(value) || Number.isNaN(Date.parse(value))) throw unreadable();
  return sqlTime(new Date(value));
}

const TIME = /^[1-9]\d{3}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\dZ$/;

export function unreadable(): GitHubError {
  return new GitHubError('unreadable', 'GitHub sent a list of issues in an unknown form.');
}
