/** Upper bounds of the buckets, in seconds. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** A histogram. An observation changes only three numbers. */
export class BucketCounts {
  readonly bounds: readonly number[];
  /** The number of values in each bucket (not cumulative). The last bucket is for values above all bounds. */
  readonly counts: number[];
  sum = 0;
  count = 0;
  max = 0;

  constructor(bounds: readonly number[] = SECONDS) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let place = 0;
    while (place < bounds.length && value > (bounds[place] as number)) place += 1;
    counts[place] = (counts[place] as number) + 1;
    this.sum += value;
    this.count += 1;
    if (value > this.max) this.max = value;
  }

  /** Returns an upper bound of a quantile: the bound of its bucket, or the maximum value if that is smaller. Undefined without values. */
  quantile(share: number): number | undefined {
    if (this.count === 0) return undefined;
    let left = share * this.count;
    for (const [place, count] of this.counts.entries()) {
      left -= count;
      if (left <= 0) return Math.min(this.bounds[place] ?? this.max, this.max);
    }
    return this.max;
  }
}

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
