import { LRUCache } from 'lru-cache';
import type { DataVersion } from '../../../databases/interface/data-versions.js';
import type { RawParameters } from '../../../definitions/parameters/parameter-values.js';
import type { StoredAnswer } from '../stored-answer.js';

/**
 * Level 1 of the cache: answers in memory, with a limit in bytes. If the limit is exceeded, answers of the definition
 * with the most bytes are evicted. So a definition with many parameter values cannot evict answers of other
 * definitions, but can use the memory that they do not need.
 */
export class MemoryAnswers {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Map<string, DefinitionShare>();
  readonly #targets: LRUCache<string, Entry> | undefined;
  #bytes = 0;
  #evictions = 0;

  /** A limit of 0 bytes disables level 1 (memory). */
  constructor(maxBytes: number) {
    const targetBytes = Math.floor(maxBytes * TARGET_SHARE);
    this.#maxBytes = maxBytes - targetBytes;
    if (targetBytes === 0) return;
    this.#targets = new LRUCache({
      maxSize: targetBytes,
      sizeCalculation: (_, target) => 2 * target.length + TARGET_OVERHEAD_BYTES,
      dispose: (entry, target) => entry.targets.delete(target),
    });
  }

  get counts(): { readonly entries: number; readonly bytes: number; readonly evictions: number } {
    const bytes = this.#bytes + (this.#targets?.calculatedSize ?? 0);
    return { entries: this.#entries.size, bytes, evictions: this.#evictions };
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  find(target: string): Entry | undefined {
    return this.#targets?.get(target);
  }

  /** Marks an entry as used. */
  touch(entry: Entry): void {
    entry.uses += 1;
    this.#shares.get(nameOf(entry))?.touch(entry);
  }

  /** Stores an answer, which replaces the earlier answer with this key. Returns undefined if it is too large. */
  store(key: string, answer: StoredAnswer, raw: RawParameters): Entry | undefined {
    const known = this.#entries.get(key);
    if (known !== undefined) return this.update(known, answer);
    if (this.#maxBytes === 0) return undefined;
    const entry = createEntry(key, answer, raw);
    if (!this.#fits(entry)) return undefined;
    this.#entries.set(key, entry);
    this.#shareOf(entry).add(entry);
    this.#bytes += entry.bytes;
    this.#evict();
    return this.#entries.get(key);
  }

  /** Replaces the answer of an entry. Returns undefined if the entry was evicted or the answer is too large. */
  update(entry: Entry, answer: StoredAnswer): Entry | undefined {
    if (this.#entries.get(entry.key) !== entry) return undefined;
    this.#bytes -= entry.bytes;
    replaceAnswer(entry, answer);
    this.#bytes += entry.bytes;
    this.#shareOf(entry).resize(entry);
    if (!this.#fits(entry)) this.#remove(entry);
    this.#evict();
    return this.#entries.get(entry.key);
  }

  /** Links a target to an entry, so that `find` returns the entry for this target. */
  link(entry: Entry, target: string): void {
    if (target.length > MAX_TARGET_LENGTH || entry.targets.has(target)) return;
    if (this.#entries.get(entry.key) !== entry) return;
    const [oldest] = entry.targets;
    if (oldest !== undefined && entry.targets.size >= MAX_TARGETS) this.#targets?.delete(oldest);
    entry.targets.add(target);
    this.#targets?.set(target, entry);
  }

  /** Removes the links of all targets, so that `find` returns no entry until targets are linked again. */
  forgetTargets(): void {
    this.#targets?.clear();
  }

  remove(entry: Entry): void {
    if (this.#entries.get(entry.key) === entry) this.#remove(entry);
  }

  #fits({ bytes }: Entry): boolean {
    return bytes <= this.#maxBytes * MAX_ENTRY_SHARE;
  }

  #shareOf(entry: Entry): DefinitionShare {
    const name = nameOf(entry);
    const share = this.#shares.get(name) ?? new DefinitionShare(2 * this.#maxBytes);
    this.#shares.set(name, share);
    return share;
  }

  #evict(): void {
    while (this.#bytes > this.#maxBytes) {
      let largest: DefinitionShare | undefined;
      for (const share of this.#shares.values()) if (share.bytes > (largest?.bytes ?? 0)) largest = share;
      const entry = largest?.evict();
      if (entry === undefined) return;
      this.#evictions += 1;
      this.#forget(entry);
    }
  }

  #remove(entry: Entry): void {
    this.#shareOf(entry).remove(entry);
    this.#forget(entry);
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#bytes -= entry.bytes;
    for (const target of [...entry.targets]) this.#targets?.delete(target);
  }
}

function nameOf({ answer }: Entry): string {
  return answer.endpoint.definition.name;
}

/** The share of the memory limit for the links of request targets. */
const TARGET_SHARE = 1 / 16;
const TARGET_OVERHEAD_BYTES = 200;
/** An answer that needs a larger share of the memory limit is not stored. */
const MAX_ENTRY_SHARE = 1 / 4;
/** Longer targets are not linked. Answers to such targets are found by their parameters. */
const MAX_TARGET_LENGTH = 2_048;
/** The maximum number of targets per answer. Different spellings of one request share its answer. */
const MAX_TARGETS = 4;

/**
 * The answers of one definition. Answers that were used repeatedly are in a separate list, so that many requests with
 * different parameters do not evict them.
 */
class DefinitionShare {
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

/** The share of the bytes that is reserved for answers that were used once, so that new answers can become popular. */
const MIN_ONCE = 0.2;

/** An answer in memory. A newer answer to the same request replaces `answer`. */
export interface Entry {
  readonly key: string;
  /** The parameters of the request, which a recomputation in the background needs. */
  readonly raw: RawParameters;
  answer: StoredAnswer;
  /** The size in memory, in bytes. */
  bytes: number;
  /** How often the answer was used. Each commit that changes one of its tables halves the number. */
  uses: number;
  /** The request targets to which this entry is the answer. */
  readonly targets: Set<string>;
  /** The table versions for which `isCurrent` was calculated. */
  checked: ReadonlyMap<string, DataVersion> | undefined;
  /** Whether the versions of the answer equal those in `checked`. */
  isCurrent: boolean;
  /** Whether compression of the body was started. */
  isCompressed: boolean;
}

function createEntry(key: string, answer: StoredAnswer, raw: RawParameters): Entry {
  return {
    key,
    raw,
    answer,
    bytes: sizeOf(key, answer),
    uses: 0,
    targets: new Set(),
    checked: undefined,
    isCurrent: false,
    isCompressed: false,
  };
}

/** Replaces the answer of an entry. */
function replaceAnswer(entry: Entry, answer: StoredAnswer): void {
  entry.answer = answer;
  entry.bytes = sizeOf(entry.key, answer);
  entry.checked = undefined;
  entry.isCompressed = answer.gzip !== undefined && answer.brotli !== undefined;
}

function sizeOf(key: string, { bodyBytes, gzip, brotli, parameters, versions }: StoredAnswer): number {
  const bytes = bodyBytes + (gzip?.length ?? 0) + (brotli?.length ?? 0);
  // The parameters are in memory twice: as values, and as text in `raw`.
  const parameterBytes = 4 * JSON.stringify(parameters).length;
  return bytes + 2 * key.length + parameterBytes + versions.size * VERSION_BYTES + OVERHEAD_BYTES;
}

/** Estimated sizes of the objects of an entry. */
const OVERHEAD_BYTES = 1_500;
const VERSION_BYTES = 100;
