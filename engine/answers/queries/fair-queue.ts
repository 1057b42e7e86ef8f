/**
 * A queue that serves several callers in rotation, so that one caller with many entries does not delay other callers. If the queue is full,
 * a new entry of a caller with fewer entries replaces the newest entry of the caller with the most entries.
 */
export class FairQueue<Entry> {
  readonly #maxLength: number;
  /** The entries of each caller, oldest first. The first caller in the map is served next. */
  readonly #callers = new Map<string, Entry[]>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds an entry. If the queue is full, returns the entry that was dropped: the new one, or one of another caller. */
  add(caller: string, entry: Entry): Entry | undefined {
    const excess = this.#length < this.#maxLength ? undefined : this.#makeRoom(caller);
    if (excess === undefined && this.#length >= this.#maxLength) return entry;
    const own = this.#callers.get(caller);
    if (own === undefined) this.#callers.set(caller, [entry]);
    else own.push(entry);
    this.#length += 1;
    return excess;
  }

  /** Takes the oldest entry of the next caller. Skips callers for which `isAllowed` is false; they keep their position. */
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

  /** Removes the newest entry of the caller with the most entries, if `caller` would still have fewer entries with the new one. */
  #makeRoom(caller: string): Entry | undefined {
    let most: { readonly name: string; readonly entries: readonly Entry[] } = { name: caller, entries: [] };
    for (const [name, entries] of this.#callers) if (entries.length > most.entries.length) most = { name, entries };
    if ((this.#callers.get(caller)?.length ?? 0) + 1 >= most.entries.length) return undefined;
    const newest = most.entries.at(-1) as Entry;
    this.delete(most.name, newest);
    return newest;
  }
}
