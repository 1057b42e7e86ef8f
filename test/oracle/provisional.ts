import type { Fact } from './world.js';

/** The repository or account to which a fact belongs. Some facts only contain its name. */
export interface Resolved {
  /**
   * The id to which the event belongs. If the fact has no id, it is the id that used the name at the nearest time. If there are several, it
   * is the largest one.
   */
  readonly event: bigint;
  /**
   * The id to which the details in the fact belong. If the fact has no id, it is the id of the newest event that has the same name and no
   * id.
   */
  readonly details: bigint;
}

/** A name in a fact, with its id. A negative id is derived from the name; 0 means no account. */
interface Named {
  readonly id: bigint;
  readonly name: string;
  readonly at: string;
}

/** Returns the repositories of each fact, in order. If no fact contains a real id for a name, the negative id is kept. */
export function resolveRepositories(facts: readonly Fact[]): Resolved[] {
  return resolve(facts.map(repositoryOf), collectUses(facts.map(repositoryOf)));
}

/** Like `resolveRepositories`, for actors. The creators in facts are also used to find the account of a login. */
export function resolveActors(facts: readonly Fact[]): Resolved[] {
  const actors = facts.map(({ actor: { id, login }, at }) => ({ id, name: login, at }));
  const creators = facts.flatMap(({ creator, at }) => creator && { id: creator.id, name: creator.login, at });
  return resolve(actors, collectUses([...actors, ...creators.filter((one) => one !== undefined)]));
}

/** Returns, for each name in lower case, the repositories that used it in facts with a real id. */
export function collectNameUses(facts: readonly Fact[]): Map<string, Use[]> {
  return collectUses(facts.map(repositoryOf));
}

export interface Use {
  readonly id: bigint;
  first: string;
  last: string;
}

function repositoryOf({ repository: { id, name }, at }: Fact): Named {
  return { id, name, at };
}

function resolve(names: readonly Named[], uses: ReadonlyMap<string, readonly Use[]>): Resolved[] {
  const newest = new Map<bigint, string>();
  for (const { id, at } of names) {
    if (id < 0n && at > (newest.get(id) ?? '')) newest.set(id, at);
  }
  return names.map(({ id, name, at }) => {
    if (id >= 0n) return { event: id, details: id };
    const own = uses.get(name.toLowerCase()) ?? [];
    return { event: findNearest(own, at) ?? id, details: findNearest(own, newest.get(id) ?? '') ?? id };
  });
}

function collectUses(names: readonly Named[]): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const { id, name: anyCase, at } of names) {
    if (id <= 0n) continue;
    const name = anyCase.toLowerCase();
    const own = uses.get(name) ?? [];
    uses.set(name, own);
    const use = own.find((one) => one.id === id);
    if (use === undefined) own.push({ id, first: at, last: at });
    else {
      if (at < use.first) use.first = at;
      if (at > use.last) use.last = at;
    }
  }
  return uses;
}

function findNearest(uses: readonly Use[], at: string): bigint | undefined {
  const distance = ({ first, last }: Use) =>
    Math.max(0, Date.parse(`${first}Z`) - Date.parse(`${at}Z`), Date.parse(`${at}Z`) - Date.parse(`${last}Z`));
  return [...uses].sort((a, b) => distance(a) - distance(b) || (b.id > a.id ? 1 : -1))[0]?.id;
}
