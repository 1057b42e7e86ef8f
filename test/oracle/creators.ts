import { isBot } from './bots.js';
import { compare, groupBy, type KnownRepository, type Universe } from './universe.js';
import type { Fact } from './world.js';

/** A participation of a user that counts: an opened issue, an opened pull request or a star. */
export interface Participation {
  readonly user: bigint;
  readonly at: string;
  readonly number: number;
}

export type Role = 'issue_creators' | 'pull_request_creators' | 'stargazers';

/** Returns the participations in a repository for a role. */
export function findParticipations(repository: KnownRepository, role: Role): Participation[] {
  const { type, action } = PARTICIPATION_EVENTS[role];
  const facts = role === 'stargazers' ? repository.facts : repository.threadFacts;
  const participations = facts.filter((fact) => fact.type === type && fact.action === action && fact.actor.id !== 0n);
  // An opening that is known only by login, and also by account from a list, counts only once.
  const named = new Set(participations.filter(({ actor }) => actor.id > 0n).map(({ number }) => number));
  return participations
    .filter(({ actor, number }) => role === 'stargazers' || actor.id > 0n || !named.has(number))
    .map(({ actor, at, number }) => ({ user: actor.id, at, number }));
}

export type Row = readonly string[];

/** Returns all issue creators in the order of `sort`, before paging. */
export function listIssueCreators(
  universe: Universe,
  repository: KnownRepository,
  sort: string,
  excludeBots: boolean,
): Row[] {
  const creators = countCreators(universe, repository, 'issue_creators', excludeBots);
  const [key = '', direction] = sort.split('-');
  const order = { issues: byCount, first_issue_opened_at: byFirst, login: byLogin }[key] ?? byLogin;
  return sortCreators(creators, order, direction === 'desc').map(({ id, login, name, count, first }) => [
    String(id),
    login,
    name,
    String(count),
    first,
  ]);
}

/**
 * Returns all pull request creators in the order of `sort`, before paging. If the order is `first_pr_merged_at`, creators without a merge
 * come last in both directions.
 */
export function listPullRequestCreators(
  universe: Universe,
  repository: KnownRepository,
  sort: string,
  excludeBots: boolean,
): Row[] {
  const merges = findFirstMerges(repository);
  const creators = countCreators(universe, repository, 'pull_request_creators', excludeBots);
  const [key = '', direction] = sort.split('-');
  const isDescending = direction === 'desc';
  const never = isDescending ? '0' : '9';
  const byMerge: Order = (a, b) => compare(merges(a.id) || never, merges(b.id) || never);
  const order =
    { prs: byCount, first_pr_opened_at: byFirst, first_pr_merged_at: byMerge, login: byLogin }[key] ?? byLogin;
  return sortCreators(creators, order, isDescending).map(({ id, login, name, count, first }) => [
    String(id),
    login,
    name,
    String(count),
    first,
    merges(id),
  ]);
}

const PARTICIPATION_EVENTS: Readonly<Record<Role, Pick<Fact, 'type' | 'action'>>> = {
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

function countCreators(universe: Universe, repository: KnownRepository, role: Role, excludeBots: boolean): Creator[] {
  return [...groupBy(findParticipations(repository, role), ({ user }) => user)]
    .map(([id, own]) => ({
      id,
      login: universe.users.get(id)?.login ?? '',
      name: universe.users.get(id)?.profile.name ?? '',
      count: new Set(own.map(({ number }) => number)).size,
      first: own.map(({ at }) => at).sort()[0] ?? '',
    }))
    .filter(({ login }) => !excludeBots || !isBot(login));
}

function sortCreators(creators: Creator[], order: Order, isDescending: boolean): Creator[] {
  return creators.sort((a, b) => (isDescending ? order(b, a) : order(a, b)) || (a.id < b.id ? -1 : 1));
}

/**
 * Returns a function that returns the time of a user's first merge, or '' if there was no merge. A pull request belongs to the users who
 * opened it in the facts. If the facts do not contain the opening, it belongs to the creator in the merge event. Review events can also
 * contain merges.
 */
function findFirstMerges(repository: KnownRepository): (user: bigint) => string {
  const pulls = repository.threadFacts.filter(
    ({ type, mergedAt }) =>
      type === 'PullRequestEvent' || (type.startsWith('PullRequestReview') && mergedAt !== undefined),
  );
  const first = new Map<bigint, string>();
  for (const own of groupBy(pulls, ({ number }) => number).values()) {
    const merges = own.filter(({ action, mergedAt }) => action === 'merged' || mergedAt !== undefined);
    const mergedAt = merges.map((fact) => fact.mergedAt ?? fact.at).sort()[0];
    if (mergedAt === undefined) continue;
    const openings = own.filter(({ action, actor }) => action === 'opened' && actor.id !== 0n);
    const named = openings.filter(({ actor }) => actor.id > 0n);
    const openers = (named.length > 0 ? named : openings).map(({ actor }) => actor.id);
    const creators = merges.flatMap(({ creator }) => creator?.id ?? []);
    for (const user of openers.length > 0 ? openers : creators) {
      const before = first.get(user);
      if (before === undefined || mergedAt < before) first.set(user, mergedAt);
    }
  }
  return (user) => first.get(user) ?? '';
}
