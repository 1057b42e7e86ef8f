import { LRUCache } from 'lru-cache';

/** What was taken by each key in its window of time. In memory, by a clock that nobody sets. */
export class WindowCounts {
  readonly #windowMs: number;
  readonly #counts: LRUCache<string, number>;

  /** Beyond `maxKeys` the key that was silent for longest is forgotten. */
  constructor(windowMs: number, maxKeys: number) {
    this.#windowMs = windowMs;
    this.#counts = new LRUCache({ max: maxKeys, ttl: windowMs, ttlResolution: 0 });
  }

  /** 0 where no window runs. */
  countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Milliseconds until the window of the key ends; 0 where none runs. */
  leftMs(key: string): number {
    return Math.max(0, this.#counts.getRemainingTTL(key));
  }

  /** Counts one more. The first begins the window. */
  add(key: string): void {
    const count = this.#counts.get(key);
    this.#counts.set(key, (count ?? 0) + 1, { noUpdateTTL: count !== undefined });
  }

  /** Takes over a count of another place, with what is left of its window. */
  set(key: string, count: number, leftMs: number): void {
    this.#counts.set(key, count, { ttl: Math.min(leftMs, this.#windowMs) });
  }
}
