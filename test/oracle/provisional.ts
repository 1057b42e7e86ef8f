import type { Fact } from './world.js';

/** The repositories to which a fact belongs. Some facts contain only the name of a repository. */
export interface ResolvedRepository {
  /**
   * The repository to which the event belongs. If the fact has no id, this is the repository that used the name at the
   * nearest time. If several are equally near, it is the repository with the largest id.
   */
  readonly event: bigint;
  /**
   * The repository to which the details in the fact belong. If the fact has no id, this is the repository of the newest
   * event with the same name and without an id.
   */
  readonly details: bigint;
}

/**
 * Returns the repositories of each fact, in the order of the facts. A negative id is derived from a name. A fact keeps
 * a negative id if no fact has a real id for the name.
 */
export function resolveRepositories(facts: readonly Fact[]): ResolvedRepository[] {
  const uses = collectUses(facts);
  const newest = new Map<bigint, string>();
  for (const { repository, at } of facts) {
    if (repository.id < 0n && at > (newest.get(repository.id) ?? '')) newest.set(repository.id, at);
  }
  return facts.map(({ repository: { id, name }, at }) => {
    if (id >= 0n) return { event: id, details: id };
    const own = uses.get(name.toLowerCase()) ?? [];
    return { event: findNearest(own, at) ?? id, details: findNearest(own, newest.get(id) ?? '') ?? id };
  });
}

export interface Use {
  readonly id: bigint;
  first: string;
  last: string;
}

/** The repositories that used each name, in lower case, in facts with a real id. */
export function collectUses(facts: readonly Fact[]): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const { repository, at } of facts) {
    if (repository.id < 0n) continue;
    const name = repository.name.toLowerCase();
    const own = uses.get(name) ?? [];
    uses.set(name, own);
    const use = own.find(({ id }) => id === repository.id);
    if (use === undefined) own.push({ id: repository.id, first: at, last: at });
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
