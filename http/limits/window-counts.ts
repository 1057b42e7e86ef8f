import { LRUCache } from 'lru-cache';

/** Counts what each key took in its window of time; in memory, by the monotonic clock. */
export class WindowCounts {
  readonly #windowMs: number;
  readonly #counts: LRUCache<string, number>;

  /** Beyond `maxKeys` it forgets the key that was used least recently. */
  constructor(windowMs: number, maxKeys: number) {
    this.#windowMs = windowMs;
    this.#counts = new LRUCache({ max: maxKeys, ttl: windowMs, ttlResolution: 0 });
  }

  /** 0 if no window runs. */
  countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Milliseconds until the window of the key ends; 0 if none runs. */
  leftMs(key: string): number {
    return Math.max(0, this.#counts.getRemainingTTL(key));
  }

  /** Adds one. The first one begins the window. */
  add(key: string): void {
    const count = this.#counts.get(key);
    this.#counts.set(key, (count ?? 0) + 1, { noUpdateTTL: count !== undefined });
  }

  /** Replaces the count by that of Redis, with the rest of its window. */
  set(key: string, count: number, leftMs: number): void {
    this.#counts.set(key, count, { ttl: Math.min(leftMs, this.#windowMs) });
  }
}
