/**
 * Counts by the name of a definition or the id of an operation. The counts of definitions that a reload removed are dropped, so that the
 * number of names stays bounded after many reloads.
 */
export class OperationTable<Counts> {
  readonly #counts = new Map<string, Counts>();
  readonly #create: () => Counts;
  readonly #isKnown: (name: string) => boolean;

  constructor(create: () => Counts, isKnown: (name: string) => boolean) {
    this.#create = create;
    this.#isKnown = isKnown;
  }

  get(name: string): Counts {
    return this.#counts.get(name) ?? this.#add(name);
  }

  /** Returns the names that still exist, with their counts. */
  entries(): (readonly [string, Counts])[] {
    for (const name of this.#counts.keys()) if (!this.#isKnown(name)) this.#counts.delete(name);
    return [...this.#counts];
  }

  #add(name: string): Counts {
    // If metrics are never scraped, only this call removes the names of deleted definitions.
    this.entries();
    const counts = this.#create();
    this.#counts.set(name, counts);
    return counts;
  }
}
