import { timingSafeEqual } from 'node:crypto';
import { singleFlight } from '../../engine/index.js';
import { type ApiKey, hashOf, idInSecret, isBefore, type StoredKey, stateOf } from './api-key.js';
import { writeUse } from './key-use.js';
import { parseKeys, readIfChanged } from './stored-keys.js';

export interface KeyFileOptions {
  /** The file of the keys. If it does not exist, there are no keys. */
  readonly file: string;
  /** The folder for the times of last use. */
  readonly useFolder: string;
  /** Returns the real time. The setting `NOW` must not change it, because it decides whether a key has expired. */
  readonly clock: () => Date;
  /** Returns a time in milliseconds that never goes back. */
  readonly stopwatch: () => number;
  /** Called once, when the time of a use cannot be stored. */
  readonly onUseError: (error: unknown) => void;
}

/**
 * The API keys in a file that other processes change. A new secret is valid at once, and other changes are visible after at most a quarter
 * of a second.
 */
export class KeyFile {
  readonly #options: KeyFileOptions;
  readonly #update = singleFlight(() => this.#readChanges());
  #lookedAt = Number.NEGATIVE_INFINITY;
  #keys: Promise<Keys> = Promise.resolve(NO_KEYS);
  /** The keys of the last check; undefined during a check, and if it failed. */
  #ready: Keys | undefined;
  #known: { readonly version: string; readonly keys: Keys | Error } | undefined;
  readonly #markedAt = new Map<string, number>();
  #hasUseError = false;

  constructor(options: KeyFileOptions) {
    this.#options = options;
  }

  /** Whether there are no keys, not even ended ones. Rejects like `find`. */
  async isEmpty(): Promise<boolean> {
    return (await this.#look()).size === 0;
  }

  /**
   * Returns the key with this secret; undefined if the secret is wrong, or if the key or the secret is not valid now. Rejects if the file is
   * damaged or cannot be read, because then it is unknown which keys are valid.
   */
  async find(secret: string): Promise<ApiKey | undefined> {
    const id = idInSecret(secret);
    if (id === undefined) return undefined;
    const now = this.#options.clock();
    const hash = hashOf(secret);
    // The file is checked at once for an unknown secret, so that a new secret can be used immediately.
    const known = findValid((await this.#look()).get(id), hash, now);
    return known ?? findValid((await this.#look(0)).get(id), hash, now);
  }

  /** Returns what `find` would return, if this is a key and is known without waiting. Each key is the same object until the file changes. */
  findKnown(secret: string): ApiKey | undefined {
    const id = idInSecret(secret);
    const { clock, stopwatch } = this.#options;
    if (id === undefined || stopwatch() - this.#lookedAt >= LOOK_MS) return undefined;
    return findValid(this.#ready?.get(id), hashOf(secret), clock());
  }

  /** Stores the time of the use of a key, at most once per minute for each key. Never rejects. */
  markUsed(id: string): Promise<void> | undefined {
    const now = this.#options.stopwatch();
    if (now - (this.#markedAt.get(id) ?? Number.NEGATIVE_INFINITY) < MARK_MS) return undefined;
    this.#markedAt.set(id, now);
    return this.#storeUse(id);
  }

  async #storeUse(id: string): Promise<void> {
    const { useFolder, clock, onUseError } = this.#options;
    try {
      await writeUse(useFolder, id, clock());
    } catch (error) {
      if (!this.#hasUseError) onUseError(error);
      this.#hasUseError = true;
    }
  }

  /** Returns the keys of the file, which is checked if the last check is `maxAgeMs` ago. Calls at the same time share one check. */
  #look(maxAgeMs = LOOK_MS): Promise<Keys> {
    const now = this.#options.stopwatch();
    if (now - this.#lookedAt >= maxAgeMs) {
      this.#lookedAt = now;
      this.#ready = undefined;
      this.#keys = this.#update();
    }
    return this.#keys;
  }

  /** Reads the file if it has changed. A file that is damaged is parsed once, and rejects all calls until it changes again. */
  async #readChanges(): Promise<Keys> {
    const { file } = this.#options;
    const changed = await readIfChanged(file, this.#known?.version);
    if (changed !== undefined) {
      const keys = parseOrError(file, changed.bytes);
      this.#known = { version: changed.version, keys };
      if (!(keys instanceof Error))
        for (const id of this.#markedAt.keys()) if (!keys.has(id)) this.#markedAt.delete(id);
    }
    const keys = this.#known?.keys ?? NO_KEYS;
    if (keys instanceof Error) throw keys;
    this.#ready = keys;
    return keys;
  }
}

/** A key of the file, and the same key without its hashes. */
interface KeyInFile {
  readonly stored: StoredKey;
  readonly key: ApiKey;
}

type Keys = ReadonlyMap<string, KeyInFile>;

const NO_KEYS: Keys = new Map();
const LOOK_MS = 250;
const MARK_MS = 60_000;

function parseOrError(file: string, bytes: Uint8Array): Keys | Error {
  try {
    return new Map(parseKeys(file, bytes).map((stored) => [stored.id, { stored, key: withoutHashes(stored) }]));
  } catch (error) {
    return error as Error;
  }
}

function withoutHashes({ sha256: _, previous: _previous, revokedAt: _revokedAt, ...key }: StoredKey): ApiKey {
  return key;
}

/** Returns the key if a secret with this hash is valid now. */
function findValid(found: KeyInFile | undefined, hash: Buffer, now: Date): ApiKey | undefined {
  if (found === undefined || stateOf(found.stored, now) !== 'active') return undefined;
  const { sha256, previous } = found.stored;
  const isPrevious = previous !== undefined && isHash(previous.sha256, hash) && isBefore(now, previous.validUntil);
  return isHash(sha256, hash) || isPrevious ? found.key : undefined;
}

/** Compares a hash in the file with the hash of a secret, in a time that does not depend on their values. */
function isHash(hex: string, hash: Buffer): boolean {
  return timingSafeEqual(Buffer.from(hex, 'hex'), hash);
}
