import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A repeatable source of random values. The same seed and stream produce the same values on every machine. */
export interface Random {
  /** Returns a signed 32-bit integer. */
  int32(): number;
  /** Returns a number from 0 (included) to 1 (excluded). */
  unit(): number;
  /** Returns an integer from 0 (included) to `limit` (excluded), which is at most 2^32. */
  below(limit: number): number;
  /** Returns true with this probability, 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns a random waiting time with the median `median` and a heavy tail (log-logistic, shape 1.5), limited to 60 medians. */
  delay(median: number): number;
}

/**
 * Creates a generator. Each part of the demo uses a separate `stream`, so that an additional value in one part does not change the other
 * parts.
 */
export function createRandom(seed: number, stream: string): Random {
  let mixed = seed | 0;
  for (const character of stream) mixed = hash32(mixed, character.codePointAt(0) ?? 0);
  const generator = xoroshiro128plus(mixed);
  // The first values after seeding are not random enough, so they are skipped.
  generator.jump();
  const unit = () => (generator.next() >>> 0) / 0x1_0000_0000;
  const below = (limit: number) => Math.floor(unit() * limit);
  return {
    int32: () => generator.next(),
    unit,
    below,
    chance: (probability) => unit() < probability,
    pick: (items) => at(items, below(items.length)),
    delay: (median) => {
      const u = unit();
      return median * Math.min(60, (u / (1 - u)) ** (1 / 1.5));
    },
  };
}

/** Hashes two integers to a 32-bit unsigned integer with the finaliser of MurmurHash3. */
export function hash32(left: number, right: number): number {
  let h = Math.imul(left, 0x9e37_79b1) ^ Math.imul(right + 0x7f4a_7c15, 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Returns the item at an index that must exist. Throws a RangeError otherwise. */
export function at<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`expected an index below ${items.length}, got ${index}`);
  return item;
}

/**
 * Selects indexes in proportion to weights. Construction needs one pass over the weights; each selection is one binary
 * search.
 */
export class WeightedChoice {
  readonly #cumulative: Float64Array;

  constructor(weights: ArrayLike<number>) {
    this.#cumulative = new Float64Array(weights.length);
    let sum = 0;
    for (let i = 0; i < weights.length; i++) {
      sum += at(weights, i);
      this.#cumulative[i] = sum;
    }
    if (!(sum > 0)) throw new RangeError(`expected ${weights.length} weights with a sum above 0, got ${sum}`);
  }

  draw(random: Random): number {
    const cumulative = this.#cumulative;
    const goal = random.unit() * at(cumulative, cumulative.length - 1);
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(cumulative, middle) > goal) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
