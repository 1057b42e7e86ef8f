import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisConnection } from '../redis.js';

/** How much may be taken in a window of time, which begins for each key when it first takes something. */
export interface Limit {
  /** Under which the counts are kept; no two limits share one. */
  readonly name: string;
  readonly points: number;
  /** Length of the window, in whole seconds. */
  readonly seconds: number;
  /** Keys that are remembered; beyond that the one that was silent for longest is forgotten. Default 100,000, some 50 MB. */
  readonly maxKeys?: number;
}

/** What a key has of its limit. */
export interface Usage {
  readonly points: number;
  readonly remaining: number;
  /** Milliseconds until all points are there again. */
  readonly resetMs: number;
  /** Of `take`: whether nothing was left to take. */
  readonly isOver: boolean;
}

/** Counts exactly, however many ask at once. Its promises do not reject. */
export interface Limiter {
  readonly limit: Limit;
  /** What is left as far as this process knows; takes nothing. */
  peek(key: string): Promise<Usage>;
  /** Takes one point. */
  take(key: string): Promise<Usage>;
  /** Gives back one point that was taken for nothing. */
  giveBack(key: string): Promise<void>;
}

/**
 * Counts in memory, or in Redis for all processes that share it. Beside Redis the counts that it told stay in memory, and go on
 * from there while it is away; when it comes back with less, having lost them, the higher count holds.
 */
export function createLimiter(limit: Limit, redis?: RedisConnection): Limiter {
  return new CountingLimiter(limit, redis);
}

const MAX_KEYS = 100_000;

class CountingLimiter implements Limiter {
  readonly #memory: RateLimiterMemory;
  readonly #known: LRUCache<string, true>;
  readonly #redis: RedisConnection | undefined;
  readonly #shared: RateLimiterRedis | undefined;

  constructor(
    readonly limit: Limit,
    redis: RedisConnection | undefined,
  ) {
    const { name, points, seconds, maxKeys = MAX_KEYS } = limit;
    const options = { points, duration: seconds, keyPrefix: `repo-insight:limit:${name}` };
    this.#memory = new RateLimiterMemory(options);
    this.#known = new LRUCache({ max: maxKeys, dispose: (_value, key) => void this.#memory.delete(key) });
    this.#redis = redis;
    this.#shared = redis && new RateLimiterRedis({ ...options, storeClient: redis.client });
  }

  async peek(key: string): Promise<Usage> {
    const counted = await this.#memory.get(key);
    // A window that is over may be there for a moment longer.
    return this.#usage(counted !== null && counted.msBeforeNext > 0 ? counted : undefined);
  }

  async take(key: string): Promise<Usage> {
    // What is known to be used up need not be asked for.
    const known = this.#shared && (await this.peek(key));
    if (known?.remaining === 0) return { ...known, isOver: true };
    return this.#usage(await this.#change(key, 1));
  }

  async giveBack(key: string): Promise<void> {
    await this.#change(key, -1);
  }

  async #change(key: string, by: 1 | -1): Promise<RateLimiterRes> {
    this.#known.set(key, true);
    const shared = await this.#changeShared(key, by);
    const own = await add(this.#memory, key, by);
    if (shared === undefined || shared.consumedPoints < own.consumedPoints) return own;
    // Never less than a millisecond: nought would be for ever.
    await this.#memory.set(key, shared.consumedPoints, Math.max(1, shared.msBeforeNext) / 1000);
    return shared;
  }

  /** Undefined while Redis is away. */
  async #changeShared(key: string, by: 1 | -1): Promise<RateLimiterRes | undefined> {
    const [redis, shared] = [this.#redis, this.#shared];
    if (redis === undefined || shared === undefined) return undefined;
    return redis.ask(() => add(shared, key, by)).catch(() => undefined);
  }

  #usage(counted: RateLimiterRes | undefined): Usage {
    const { points, seconds } = this.limit;
    // What is given back when its window has ended would count below nought.
    const used = Math.max(0, counted?.consumedPoints ?? 0);
    return {
      points,
      remaining: Math.max(0, points - used),
      // Windows are told by the time of day, which may have been set back meanwhile, and end by timers, which it does not change.
      resetMs: Math.min(seconds * 1000, Math.max(0, counted?.msBeforeNext ?? 0)),
      isOver: used > points,
    };
  }
}

/** `penalty` and `reward` only count, where `consume` would reject what is over the limit. */
function add(limiter: RateLimiterMemory | RateLimiterRedis, key: string, by: 1 | -1): Promise<RateLimiterRes> {
  return by > 0 ? limiter.penalty(key) : limiter.reward(key);
}
