import { collectNameUses, resolveActors, resolveRepositories, type Use } from './provisional.js';
import type { Account, Collection, Fact, ListedThread, Profile, StarCounts, World } from './world.js';

/** The facts about an issue or pull request. */
export type ThreadFact = Pick<Fact, 'type' | 'action' | 'at' | 'actor' | 'number' | 'creator' | 'mergedAt'>;

/** The state of a repository after applying all facts. */
export interface KnownRepository {
  readonly id: bigint;
  /** The name in the newest event of the repository. */
  readonly name: string;
  readonly lastEventAt: string;
  readonly isDeleted: boolean;
  readonly language: string;
  readonly description: string;
  /** Undefined if the creation time is unknown. */
  readonly createdAt: string | undefined;
  readonly pushedAt: string | undefined;
  readonly stars: number;
  readonly forks: number;
  readonly facts: readonly Fact[];
  readonly counts: StarCounts | undefined;
  /** The day until which GitHub lists the issues and pull requests; '' if there is no list. */
  readonly listedUntil: string;
  /** The events of issues and pull requests, and their openings in GitHub's list. */
  readonly threadFacts: readonly ThreadFact[];
}

export interface KnownUser {
  readonly id: bigint;
  /** The login in the newest event of the account. */
  readonly login: string;
  readonly profile: Profile;
}

/** The facts of all worlds in one database, collected with simple loops. */
export interface Universe {
  readonly facts: readonly Fact[];
  readonly repositories: ReadonlyMap<bigint, KnownRepository>;
  readonly users: ReadonlyMap<bigint, KnownUser>;
  readonly nameUses: ReadonlyMap<string, readonly Use[]>;
  readonly collections: readonly Collection[];
  readonly visits: World['visits'];
  readonly hiddenRepositories: ReadonlySet<string>;
  readonly hiddenPeople: ReadonlySet<string>;
  /** The time of the newest fact. */
  readonly newest: string;
}

export function createUniverse(worlds: readonly World[]): Universe {
  const all = worlds.flatMap((world) => world.facts);
  const [places, actors] = [resolveRepositories(all), resolveActors(all)];
  const placeFacts = (key: 'event' | 'details') =>
    all.map((fact, index) => ({
      ...fact,
      repository: { ...fact.repository, id: places[index]?.[key] ?? fact.repository.id },
      actor: { ...fact.actor, id: actors[index]?.[key] ?? fact.actor.id },
    }));
  const [facts, copies] = [placeFacts('event'), placeFacts('details')];
  return {
    facts,
    repositories: repositoriesOf(facts, copies, {
      enriched: new Map(worlds.flatMap((world) => [...world.repositories])),
      counts: new Map(worlds.flatMap((world) => [...world.counts])),
      lists: new Map(worlds.flatMap((world) => [...world.lists])),
    }),
    nameUses: collectNameUses(all),
    users: usersOf(copies, new Map(worlds.flatMap((world) => [...world.profiles]))),
    collections: worlds.flatMap((world) => world.collections),
    visits: worlds.flatMap((world) => world.visits),
    hiddenRepositories: new Set(worlds.flatMap((world) => world.hiddenRepositories.map((name) => name.toLowerCase()))),
    hiddenPeople: new Set(worlds.flatMap((world) => world.hiddenPeople.map((login) => login.toLowerCase()))),
    newest: facts.map(({ at }) => at).reduce(laterOf, ''),
  };
}

/**
 * Returns the repository to which a name currently resolves. If several have the name, existing repositories take precedence over deleted
 * ones, then the most recently active repository. If none has it, returns the repository that used it last.
 */
export function findRepository(universe: Universe, name: string): KnownRepository | undefined {
  const [first] = [...universe.repositories.values()]
    .filter((repository) => repository.name.toLowerCase() === name.toLowerCase())
    .sort(
      (a, b) =>
        Number(a.isDeleted) - Number(b.isDeleted) || compare(b.lastEventAt, a.lastEventAt) || (b.id > a.id ? 1 : -1),
    );
  if (first !== undefined) return first;
  const [last] = [...(universe.nameUses.get(name.toLowerCase()) ?? [])].sort(
    (a, b) => compare(b.last, a.last) || (b.id > a.id ? 1 : -1),
  );
  return last && universe.repositories.get(last.id);
}

/** Compares texts by their UTF-8 bytes. */
export function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function repositoriesOf(
  facts: readonly Fact[],
  copies: readonly Fact[],
  { enriched, counts, lists }: Pick<World, 'counts' | 'lists'> & { readonly enriched: World['repositories'] },
): Map<bigint, KnownRepository> {
  const known = new Map<bigint, KnownRepository>();
  const events = groupBy(facts, ({ repository }) => repository.id);
  for (const [id, own] of groupBy(copies, ({ repository }) => repository.id)) {
    const newest = own.reduce((a, b) => (isNewer(a.at, a.repository.name, b.at, b.repository.name) ? b : a));
    const details = own.flatMap((fact) => fact.details ?? []);
    const begun = own.filter(({ type }) => type === 'CreateEvent').map(({ at }) => at);
    const people = (type: Fact['type']) =>
      new Set(
        events
          .get(id)
          ?.filter((fact) => fact.type === type && fact.actor.id !== 0n)
          .map(({ actor }) => actor.id),
      ).size;
    const fed = {
      isDeleted: false,
      language: details[0]?.language ?? '',
      description: details[0]?.description ?? '',
      createdAt: [...begun, ...details.map(({ createdAt }) => createdAt)].sort()[0],
      stars: Math.max(people('WatchEvent'), ...details.map(({ stars }) => stars)),
      forks: Math.max(people('ForkEvent'), ...details.map(({ forks }) => forks)),
    };
    known.set(id, {
      ...fed,
      ...enriched.get(id),
      id,
      name: newest.repository.name,
      lastEventAt: newest.at,
      pushedAt: own
        .filter(({ type }) => type === 'PushEvent')
        .map(({ at }) => at)
        .sort()
        .at(-1),
      facts: events.get(id) ?? [],
      counts: counts.get(id),
      threadFacts: [...(events.get(id) ?? []), ...(lists.get(id)?.threads ?? []).map(openingOf)],
      listedUntil: lists.get(id)?.until ?? '',
    });
  }
  return known;
}

function openingOf({ type, number, user, openedAt, mergedAt }: ListedThread): ThreadFact {
  const actor = { id: user, login: '' };
  return { type, action: 'opened', at: openedAt, actor, number, creator: undefined, mergedAt };
}

function usersOf(facts: readonly Fact[], enriched: ReadonlyMap<bigint, Profile>): Map<bigint, KnownUser> {
  const seen = new Map<bigint, { at: string; account: Account }>();
  const profiles = new Map<bigint, { at: string; profile: Profile }>();
  for (const { at, actor, creator, profile } of facts) {
    for (const account of [actor, creator]) {
      if (account === undefined || account.id === 0n) continue;
      const before = seen.get(account.id);
      if (before === undefined || isNewer(before.at, before.account.login, at, account.login)) {
        seen.set(account.id, { at, account });
      }
    }
    if (profile !== undefined && actor.id !== 0n && (profiles.get(actor.id)?.at ?? '') <= at) {
      profiles.set(actor.id, { at, profile });
    }
  }
  return new Map(
    [...seen].map(([id, { account }]) => {
      const profile = enriched.get(id) ?? profiles.get(id)?.profile ?? NO_PROFILE;
      return [id, { id, login: account.login, profile }];
    }),
  );
}

const NO_PROFILE: Profile = { name: '', organization: '', country: '' };

function isNewer(at: string, text: string, otherAt: string, otherText: string): boolean {
  return otherAt > at || (otherAt === at && compare(otherText, text) > 0);
}

export function laterOf(a: string, b: string): string {
  return a > b ? a : b;
}
