import { isBot } from './bots.js';
import { compare, grouped, type KnownRepository, type Universe } from './universe.js';
import type { Fact } from './world.js';

/** One who counts, and when: each opening of an issue or pull request, each star. */
export interface Deed {
  readonly user: bigint;
  readonly at: string;
  readonly number: number;
}

export type Role = 'issue_creators' | 'pull_request_creators' | 'stargazers';

/** What makes somebody count in the role, in the repository. */
export function deeds(repository: KnownRepository, role: Role): Deed[] {
  const { type, action } = DEEDS[role];
  return repository.facts
    .filter((fact) => fact.type === type && fact.action === action && fact.actor.id !== 0n)
    .map(({ actor, at, number }) => ({ user: actor.id, at, number }));
}

export type Row = readonly string[];

/** All issue creators, in the order of `sort`; a page is cut from them. */
export function issueCreators(
  universe: Universe,
  repository: KnownRepository,
  sort: string,
  excludeBots: boolean,
): Row[] {
  const creators = creatorsOf(universe, repository, 'issue_creators', excludeBots);
  const [key = '', direction] = sort.split('-');
  const order = { issues: byCount, first_issue_opened_at: byFirst, login: byLogin }[key] ?? byLogin;
  return ordered(creators, order, direction === 'desc').map(({ id, login, name, count, first }) => [
    String(id),
    login,
    name,
    String(count),
    first,
  ]);
}

/** All pull request creators; by `first_pr_merged_at` those without a merge come last in both directions. */
export function pullRequestCreators(
  universe: Universe,
  repository: KnownRepository,
  sort: string,
  excludeBots: boolean,
): Row[] {
  const merges = firstMerges(repository);
  const creators = creatorsOf(universe, repository, 'pull_request_creators', excludeBots);
  const [key = '', direction] = sort.split('-');
  const isDescending = direction === 'desc';
  const never = isDescending ? '0' : '9';
  const byMerge: Order = (a, b) => compare(merges(a.id) || never, merges(b.id) || never);
  const order =
    { prs: byCount, first_pr_opened_at: byFirst, first_pr_merged_at: byMerge, login: byLogin }[key] ?? byLogin;
  return ordered(creators, order, isDescending).map(({ id, login, name, count, first }) => [
    String(id),
    login,
    name,
    String(count),
    first,
    merges(id),
  ]);
}

const DEEDS: Readonly<Record<Role, Pick<Fact, 'type' | 'action'>>> = {
  issue_creators: { type: 'IssuesEvent', action: 'opened' },
  pull_request_creators: { type: 'PullRequestEvent', action: 'opened' },
  stargazers: { type: 'WatchEvent', action: 'started' },
};

interface Creator {
  readonly id: bigint;
  readonly login: string;
  readonly name: string;
  readonly count: number;
  readonly first: string;
}

type Order = (a: Creator, b: Creator) => number;

const byCount: Order = (a, b) => a.count - b.count;
const byFirst: Order = (a, b) => compare(a.first, b.first);
const byLogin: Order = (a, b) => compare(a.login, b.login);

function creatorsOf(universe: Universe, repository: KnownRepository, role: Role, excludeBots: boolean): Creator[] {
  return [...grouped(deeds(repository, role), ({ user }) => user)]
    .map(([id, own]) => ({
      id,
      login: universe.users.get(id)?.login ?? '',
      name: universe.users.get(id)?.profile.name ?? '',
      count: new Set(own.map(({ number }) => number)).size,
      first: own.map(({ at }) => at).sort()[0] ?? '',
    }))
    .filter(({ login }) => !excludeBots || !isBot(login));
}

function ordered(creators: Creator[], order: Order, isDescending: boolean): Creator[] {
  return creators.sort((a, b) => (isDescending ? order(b, a) : order(a, b)) || (a.id < b.id ? -1 : 1));
}

/**
 * When the first pull request of a user was merged, or ''. A pull request is theirs who was seen to open it; where
 * nobody was, theirs whom the merge names. A review tells of a merge, too.
 */
function firstMerges(repository: KnownRepository): (user: bigint) => string {
  const pulls = repository.facts.filter(
    ({ type, mergedAt }) =>
      type === 'PullRequestEvent' || (type.startsWith('PullRequestReview') && mergedAt !== undefined),
  );
  const first = new Map<bigint, string>();
  for (const own of grouped(pulls, ({ number }) => number).values()) {
    const merges = own.filter(({ action, mergedAt }) => action === 'merged' || mergedAt !== undefined);
    const mergedAt = merges.map((fact) => fact.mergedAt ?? fact.at).sort()[0];
    if (mergedAt === undefined) continue;
    const openers = own
      .filter(({ action, actor }) => action === 'opened' && actor.id !== 0n)
      .map(({ actor }) => actor.id);
    const told = merges.flatMap(({ creator }) => creator?.id ?? []);
    for (const user of openers.length > 0 ? openers : told) {
      const before = first.get(user);
      if (before === undefined || mergedAt < before) first.set(user, mergedAt);
    }
  }
  return (user) => first.get(user) ?? '';
}
