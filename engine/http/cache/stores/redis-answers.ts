import { hash, randomBytes } from 'node:crypto';
import { type Redis, ReplyError } from 'ioredis';
import type { RedisConnection } from '../../redis/redis.js';
import type { StoredAnswer } from '../stored-answer.js';
import { EXTEND_LEASE, PUT, RELEASE_LEASE, REMOVE_ALL, TAKE_LEASE, TOUCH } from './scripts.js';
import type { Lease, LeaseState, RequestParts, SharedAnswers } from './shared-answers.js';
import { decodeAnswer, encodeAnswer } from './stored-value.js';

export interface RedisAnswersOptions {
  readonly redis: RedisConnection;
  /** The limit for the total size of all values, in bytes. */
  readonly maxBytes: number;
  /** Identifies the settings that affect the answers of this service. Only services with equal texts share answers. */
  readonly namespace: string;
}

export function createRedisAnswers(options: RedisAnswersOptions): SharedAnswers {
  return new RedisAnswers(options);
}

class RedisAnswers implements SharedAnswers {
  readonly #options: RedisAnswersOptions;
  readonly #ask: AskRedis;
  /** The number and the bytes of the answers that are being written. */
  #writes = 0;
  #writtenBytes = 0;
  /** The time until which writes are paused because Redis was full, on the monotonic clock. */
  #pausedUntil = -Infinity;

  constructor(options: RedisAnswersOptions) {
    this.#options = options;
    this.#ask = createAskRedis(options.redis, (message) => this.#onError(message));
  }

  async get(key: string, request: RequestParts): Promise<StoredAnswer | undefined> {
    const id = this.#idOf(key);
    const value = await this.#ask((client) => client.getBuffer(VALUE_PREFIX + id));
    if (value === undefined || value === null) return undefined;
    const answer = await decodeAnswer(value, key, request).catch(() => undefined);
    if (answer !== undefined && Math.random() < TOUCHED_SHARE) {
      void this.#ask((client) => TOUCH.run(client, [INDEX], [id]));
    }
    return answer;
  }

  fits({ bodyBytes, gzip }: StoredAnswer): boolean {
    // If the compressed size is unknown, it is estimated: compression usually makes text at least three times smaller.
    return (gzip?.length ?? bodyBytes / 3) <= this.#options.maxBytes * MAX_ENTRY_SHARE;
  }

  async put(key: string, answer: StoredAnswer): Promise<void> {
    const bytes = answer.bodyBytes;
    const isBusy = this.#writes >= MAX_WRITES || (this.#writes > 0 && this.#writtenBytes + bytes > MAX_WRITTEN_BYTES);
    if (isBusy || performance.now() < this.#pausedUntil) return;
    this.#writes += 1;
    this.#writtenBytes += bytes;
    try {
      const value = await encodeAnswer(key, answer);
      if (value.length <= this.#options.maxBytes * MAX_ENTRY_SHARE) await this.#write(this.#idOf(key), value);
    } catch {
      // If compression fails, the answer is not stored.
    } finally {
      this.#writes -= 1;
      this.#writtenBytes -= bytes;
    }
  }

  lease(key: string): Promise<Lease | 'taken' | undefined> {
    return takeLease(this.#ask, LEASE_PREFIX + this.#idOf(key));
  }

  leaseState(key: string): Promise<LeaseState> {
    return readLease(this.#ask, LEASE_PREFIX + this.#idOf(key));
  }

  async #write(id: string, value: Buffer): Promise<void> {
    const { maxBytes } = this.#options;
    const keys = [VALUE_PREFIX + id, INDEX, SIZES];
    await this.#ask((client) => PUT.run(client, keys, [id, value, LIFETIME_MS, Math.floor(maxBytes), VALUE_PREFIX]));
  }

  /** Removes all answers if Redis is full, because otherwise Redis could not count requests for the rate limits. */
  #onError(message: string): void {
    if (!/\bOOM\b/.test(message) || performance.now() < this.#pausedUntil) return;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    void this.#ask((client) => REMOVE_ALL.run(client, [INDEX, SIZES], [VALUE_PREFIX]));
  }

  #idOf(key: string): string {
    return hash('sha256', `${this.#options.namespace}\0${key}`, 'base64url');
  }
}

const VALUE_PREFIX = 'repo-insight:answer:';
const LEASE_PREFIX = 'repo-insight:answer-lease:';
const INDEX = 'repo-insight:answers:index';
const SIZES = 'repo-insight:answers:sizes';
const LIFETIME_MS = 24 * 3_600_000;
/** An answer that needs a larger share of `maxBytes` is not stored. */
const MAX_ENTRY_SHARE = 1 / 16;
/** The share of cache hits that update the time of the last use. */
const TOUCHED_SHARE = 0.1;
/** Limits for concurrent writes. Answers beyond these limits are not stored. */
const MAX_WRITES = 64;
const MAX_WRITTEN_BYTES = 32 * 1024 * 1024;
/** The time for which no answer is stored after Redis was full. */
const PAUSE_MS = 10_000;

/** Takes the lease with this key. Returns `taken` if another process has it, and undefined if Redis is unavailable. */
async function takeLease(ask: AskRedis, key: string): Promise<Lease | 'taken' | undefined> {
  const token = randomBytes(16).toString('base64url');
  const taken = await ask((client) => TAKE_LEASE.run(client, [key], [token, LEASE_MS]));
  if (taken === undefined) return undefined;
  if (taken !== 1) return 'taken';
  // The lease is short and must be extended: if its holder ends or blocks, other processes do not wait for long.
  const extend = () => void ask((client) => EXTEND_LEASE.run(client, [key], [token, LEASE_MS]));
  const timer = setInterval(extend, LEASE_MS / 3).unref();
  return {
    release: async (isShared = true) => {
      clearInterval(timer);
      await ask((client) => RELEASE_LEASE.run(client, [key], [token, isShared ? 0 : UNSHARED_MS]));
    },
  };
}

/** Returns the state of the lease with this key. A lease that cannot be read counts as free. */
async function readLease(ask: AskRedis, key: string): Promise<LeaseState> {
  const token = await ask((client) => client.get(key));
  if (token === undefined || token === null) return 'free';
  return token === '' ? 'unshared' : 'taken';
}

const LEASE_MS = 3_000;
/** After an answer could not be stored, no process waits for a lease on it during this time. */
const UNSHARED_MS = 1_000;

/** Runs Redis commands. Resolves to undefined if Redis is unavailable, does not answer in time, or answers with an error. Never rejects. */
type AskRedis = <T>(work: (client: Redis) => Promise<T>) => Promise<T | undefined>;

/** `onError` receives error replies, such as those of a full Redis. */
function createAskRedis(redis: RedisConnection, onError: (message: string) => void): AskRedis {
  return async (work) => {
    // An error reply does not mean that Redis is unavailable for other parts of the service, such as the rate limits.
    const run = () =>
      work(redis.client).catch((error: unknown) => {
        if (!(error instanceof ReplyError)) throw error;
        onError((error as Error).message);
        return undefined;
      });
    return redis.ask(run, false).catch(() => undefined);
  };
}
