import { LRUCache } from 'lru-cache';
import type { Entry } from './entry.js';

/**
 * The answers of one definition. Answers that were used again are separate from those that were used once, so that many
 * requests with different parameters do not evict the answers that are asked for again and again.
 */
export class DefinitionShare {
  readonly #once: LRUCache<string, Entry>;
  readonly #again: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    const options = { maxSize: maxBytes, sizeCalculation: ({ bytes }: Entry) => bytes };
    this.#once = new LRUCache(options);
    this.#again = new LRUCache(options);
  }

  get bytes(): number {
    return this.#once.calculatedSize + this.#again.calculatedSize;
  }

  add(entry: Entry): void {
    this.#once.set(entry.key, entry);
  }

  /** Must be called after a change of the size of an entry. */
  resize(entry: Entry): void {
    const list = this.#again.has(entry.key) ? this.#again : this.#once;
    list.delete(entry.key);
    list.set(entry.key, entry);
  }

  /** Marks an entry as recently used. */
  touch({ key }: Entry): void {
    if (this.#again.get(key) !== undefined) return;
    const entry = this.#once.get(key);
    if (entry === undefined) return;
    this.#once.delete(key);
    this.#again.set(key, entry);
  }

  remove({ key }: Entry): void {
    this.#once.delete(key);
    this.#again.delete(key);
  }

  /** Removes and returns the entry that is least likely to be used again; undefined if the share is empty. */
  evict(): Entry | undefined {
    const isOnceSmall = this.#once.calculatedSize < this.bytes * MIN_ONCE;
    return (isOnceSmall ? this.#again.pop() : this.#once.pop()) ?? this.#again.pop();
  }
}

/** The part of the bytes that answers that were used once keep, so that new answers can become popular. */
const MIN_ONCE = 0.2;
