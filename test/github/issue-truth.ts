import { answerEvents, type EventRepository } from './event-truth.js';
import { findListed, type GitHubAnswer, type GitHubCall, NOT_FOUND } from './github-server.js';
import { answerFromTruth, type TrueRepository, withEtag } from './star-truth.js';

/** An issue or pull request on the simulated GitHub. Times are milliseconds since 1970. */
export interface TrueIssue {
  readonly number: number;
  readonly isPullRequest: boolean;
  /** The id of the account that opened it, whose login is `user-<id>`; 0 for a deleted account. */
  readonly user: number;
  readonly openedAt: number;
  readonly mergedAt?: number;
  /** The times of later changes. */
  readonly changedAt?: readonly number[];
}

export interface IssueRepository {
  readonly id: number;
  readonly issues: readonly TrueIssue[];
}

const PER_PAGE = 100;

/** Answers requests for repositories, their star histories, their events and their lists of issues. */
export function answerSources(
  repositories: readonly (TrueRepository & IssueRepository & EventRepository)[],
  call: GitHubCall,
  place: { readonly url: string; readonly now: number },
): GitHubAnswer {
  if (/\/issues\b/.test(call.path)) return answerIssues(repositories, call, place);
  if (/\/events\b/.test(call.path)) return answerEvents(repositories, call, place);
  return answerFromTruth(repositories, call, place);
}

/**
 * Answers requests for lists of issues like GitHub does: a hundred a page, those that were updated longest ago first, with an etag and
 * links. `url` is the URL of the server.
 */
export function answerIssues(
  repositories: readonly IssueRepository[],
  call: GitHubCall,
  { url, now }: { readonly url: string; readonly now: number },
): GitHubAnswer {
  const { searchParams } = new URL(call.path, url);
  const repository = findListed(repositories, call, 'issues');
  if (repository === undefined) return NOT_FOUND;
  const options = ['state', 'sort', 'direction', 'per_page'].map((name) => searchParams.get(name));
  if (options.join() !== 'all,updated,asc,100') return { status: 422, body: { message: 'Validation Failed' } };
  const since = Date.parse(searchParams.get('since') ?? '1970-01-01T00:00:00Z');
  const page = Number(searchParams.get('page') ?? 1);
  const all = repository.issues
    .filter(({ openedAt }) => openedAt <= now)
    .map((issue) => ({ ...issue, updatedAt: updateOf(issue, now) }))
    .filter(({ updatedAt }) => updatedAt >= since)
    .sort((a, b) => a.updatedAt - b.updatedAt || a.number - b.number);
  const body = all.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((issue) => describeIssue(issue, now));
  return withEtag(body, call.etag, page * PER_PAGE < all.length ? { link: `<${url}/next>; rel="next"` } : {});
}

/** The issues that exist at a time, as rows of github_issues without the repository. */
export function rowsOfIssues({ issues }: IssueRepository, now: number): string[][] {
  return issues
    .filter(({ openedAt }) => openedAt <= now)
    .map(({ number, isPullRequest, user, openedAt, mergedAt = Number.POSITIVE_INFINITY }) => [
      String(number),
      isPullRequest ? '1' : '0',
      String(user),
      sqlTextOf(openedAt),
      mergedAt <= now ? sqlTextOf(mergedAt) : 'null',
    ])
    .sort(([a = ''], [b = '']) => Number(a) - Number(b));
}

export function sqlTextOf(time: number): string {
  return timeOf(time).replace('T', ' ').replace('Z', '');
}

function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function updateOf({ openedAt, mergedAt = openedAt, changedAt = [] }: TrueIssue, now: number): number {
  return Math.max(...[openedAt, mergedAt, ...changedAt].filter((time) => time <= now));
}

/** The fields of GitHub that the program reads, and some others. */
function describeIssue(issue: TrueIssue, now: number): object {
  const { number, isPullRequest, user, openedAt, mergedAt } = issue;
  const merged = mergedAt !== undefined && mergedAt <= now ? timeOf(mergedAt) : null;
  return {
    id: 1_000_000 + number,
    number,
    title: `Title ${number}`,
    state: merged === null ? 'open' : 'closed',
    user: user === 0 ? { login: 'ghost', id: 10_137, type: 'User' } : { login: `user-${user}`, id: user, type: 'User' },
    created_at: timeOf(openedAt),
    updated_at: timeOf(updateOf(issue, now)),
    closed_at: merged,
    ...(isPullRequest && { pull_request: { url: 'https://example.org', merged_at: merged } }),
  };
}
