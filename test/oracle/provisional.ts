import type { Fact } from './world.js';

/** The repositories that a fact, in which a name may be all that is told, is about. */
export interface Belonging {
  /** That of the event: the one that used the name at the nearest time; of several the largest id. */
  readonly event: bigint;
  /** That of what else is told, which goes where the newest event without an id under this name belongs. */
  readonly telling: bigint;
}

/** Of each fact in its place. An id that is made from a name is negative, and stays where no fact has an id for the name. */
export function belongings(facts: readonly Fact[]): Belonging[] {
  const uses = usesOf(facts);
  const newest = new Map<bigint, string>();
  for (const { repository, at } of facts) {
    if (repository.id < 0n && at > (newest.get(repository.id) ?? '')) newest.set(repository.id, at);
  }
  return facts.map(({ repository: { id, name }, at }) => {
    if (id >= 0n) return { event: id, telling: id };
    const own = uses.get(name.toLowerCase()) ?? [];
    return { event: nearest(own, at) ?? id, telling: nearest(own, newest.get(id) ?? '') ?? id };
  });
}

interface Use {
  readonly id: bigint;
  first: string;
  last: string;
}

function usesOf(facts: readonly Fact[]): Map<string, Use[]> {
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

function nearest(uses: readonly Use[], at: string): bigint | undefined {
  const distance = ({ first, last }: Use) =>
    Math.max(0, Date.parse(`${first}Z`) - Date.parse(`${at}Z`), Date.parse(`${at}Z`) - Date.parse(`${last}Z`));
  return [...uses].sort((a, b) => distance(a) - distance(b) || (b.id > a.id ? 1 : -1))[0]?.id;
}
