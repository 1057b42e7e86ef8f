import { createHash } from 'node:crypto';
import { findListed, type GitHubAnswer, type GitHubCall, NOT_FOUND } from './github-server.js';

/** A star of a repository. Times are milliseconds since 1970. */
export interface Star {
  readonly at: number;
  /** The time at which the star was removed. */
  readonly until?: number;
}

/** A repository of the simulated GitHub. */
export interface TrueRepository {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly stars: readonly Star[];
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The first Sunday after 1970-01-01. */
const SUNDAY_MS = 3 * DAY_MS;
const WEEKS_PER_PAGE = 30;

/** Returns the days with stars that GitHub counts at a time, as `YYYY-MM-DD` and a number, in the order of the days. */
export function countStarDays({ stars }: TrueRepository, now: number): [day: string, stars: number][] {
  const days = new Map<number, number>();
  for (const { at, until = Number.POSITIVE_INFINITY } of stars) {
    const day = Math.floor(at / DAY_MS);
    if (at <= now && until > now) days.set(day, (days.get(day) ?? 0) + 1);
  }
  return [...days].sort(([a], [b]) => a - b).map(([day, count]) => [dayOf(day * DAY_MS), count]);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * Answers requests for repositories and their star histories like GitHub: 30 weeks per page, newest first, with an ETag and links. `url` is
 * the URL of the server.
 */
export function answerFromTruth(
  repositories: readonly TrueRepository[],
  call: GitHubCall,
  { url, now }: { readonly url: string; readonly now: number },
): GitHubAnswer {
  const { pathname, searchParams } = new URL(call.path, url);
  const [, byName] = /^\/repos\/([^/]+\/[^/]+)$/.exec(pathname) ?? [];
  const [, byId] = /^\/repositories\/(\d+)$/.exec(pathname) ?? [];
  const asked = repositories.find(
    ({ id, name }) => name.toLowerCase() === byName?.toLowerCase() || String(id) === byId,
  );
  if (asked !== undefined) return withEtag(describeRepository(asked, now), call.etag);
  const repository = findListed(repositories, call, 'stargazers/history');
  if (repository === undefined) return NOT_FOUND;
  const weeks = listWeeks(repository, now);
  const page = Number(searchParams.get('page') ?? 1);
  const pages = Math.ceil(weeks.length / WEEKS_PER_PAGE);
  const body = weeks.slice((page - 1) * WEEKS_PER_PAGE, page * WEEKS_PER_PAGE);
  const link = (to: number, rel: string) =>
    `<${url}/repositories/${repository.id}/stargazers/history?page=${to}>; rel="${rel}"`;
  const links = page < pages ? [link(page + 1, 'next'), link(pages, 'last')] : page > 1 ? [link(1, 'first')] : [];
  return withEtag(body, call.etag, links.length > 0 ? { link: links.join(', ') } : {});
}

/** Returns the answer; it is 304 if the request contains the ETag of the body. */
export function withEtag(
  body: object,
  etag: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): GitHubAnswer {
  const current = `W/"${createHash('md5').update(JSON.stringify(body)).digest('hex')}"`;
  return etag === current
    ? { status: 304, headers: { etag: current } }
    : { body, headers: { etag: current, ...headers } };
}

function describeRepository(repository: TrueRepository, now: number): object {
  const { id, name, createdAt } = repository;
  const stars = countStarDays(repository, now).reduce((sum, [, count]) => sum + count, 0);
  const owner = { login: name.split('/')[0], id: 1, type: 'Organization' };
  const created_at = `${new Date(createdAt).toISOString().slice(0, 19)}Z`;
  return { id, full_name: name, owner, description: `About ${id}`, stargazers_count: stars, created_at };
}

/** Returns the weeks since the creation of the repository; empty if it never had a star. */
function listWeeks(repository: TrueRepository, now: number): { week: number; total: number; days: number[] }[] {
  const counted = new Map(countStarDays(repository, now));
  if (counted.size === 0) return [];
  const startOf = (time: number) => time - ((time - SUNDAY_MS) % WEEK_MS);
  const weeks = [];
  for (let week = startOf(now); week >= startOf(repository.createdAt); week -= WEEK_MS) {
    const days = Array.from({ length: 7 }, (_, day) => counted.get(dayOf(week + day * DAY_MS)) ?? 0);
    weeks.push({ week: week / 1000, total: days.reduce((sum, stars) => sum + stars, 0), days });
  }
  return weeks;
}
