/**
 * Waiting entries of several callers. The callers alternate, so that one caller with many entries does not delay the others.
 * If the queue is full, the caller with most entries loses its newest one to a caller that has fewer.
 */
export class FairQueue<Entry> {
  readonly #maxLength: number;
  /** The entries of each caller, in their order. The next caller is the first one. */
  readonly #callers = new Map<string, Entry[]>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds an entry. Returns the entry that has no place in a full queue: the new one, or one of another caller. */
  add(caller: string, entry: Entry): Entry | undefined {
    const excess = this.#length < this.#maxLength ? undefined : this.#makeRoom(caller);
    if (excess === undefined && this.#length >= this.#maxLength) return entry;
    const own = this.#callers.get(caller);
    if (own === undefined) this.#callers.set(caller, [entry]);
    else own.push(entry);
    this.#length += 1;
    return excess;
  }

  /** Takes the oldest entry of the next caller. Callers that are not allowed keep their place. */
  take(isAllowed: (caller: string) => boolean = () => true): { caller: string; entry: Entry } | undefined {
    for (const [caller, [entry]] of this.#callers) {
      if (entry === undefined || !isAllowed(caller)) continue;
      this.delete(caller, entry);
      const others = this.#callers.get(caller);
      if (others !== undefined) {
        this.#callers.delete(caller);
        this.#callers.set(caller, others);
      }
      return { caller, entry };
    }
    return undefined;
  }

  delete(caller: string, entry: Entry): void {
    const own = this.#callers.get(caller);
    const place = own?.indexOf(entry) ?? -1;
    if (own === undefined || place < 0) return;
    own.splice(place, 1);
    this.#length -= 1;
    if (own.length === 0) this.#callers.delete(caller);
  }

  /** Removes the newest entry of the caller with most entries, if the other caller would still have fewer. */
  #makeRoom(caller: string): Entry | undefined {
    let most: { readonly name: string; readonly entries: readonly Entry[] } = { name: caller, entries: [] };
    for (const [name, entries] of this.#callers) if (entries.length > most.entries.length) most = { name, entries };
    if ((this.#callers.get(caller)?.length ?? 0) + 1 >= most.entries.length) return undefined;
    const newest = most.entries.at(-1) as Entry;
    this.delete(most.name, newest);
    return newest;
  }
}
