import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../redis/redis.js';
import { type SharedCount, takeInRedis } from '../redis/redis-counts.js';

/** A maximum number of points per time window. Usually, a request takes one point. The window of a key begins with its first point. */
export interface Limit {
  /** Unique name; part of the keys in Redis. */
  readonly name: string;
  /** The maximum number of points of a key per window. */
  readonly points: number;
  /** Length of the window, in whole seconds. */
  readonly seconds: number;
  /**
   * Maximum number of keys in memory. If there are more keys, the least recently used key is dropped. Default 100,000.
   */
  readonly maxKeys?: number;
}

/** How many points of a limit a key has used. */
export interface Usage {
  readonly points: number;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
  /** Whether the request exceeded the limit. */
  readonly isOver: boolean;
}

/** One limit with its counts. */
export interface Limiter {
  readonly limit: Limit;
  /**
   * The counts in memory. With Redis, these are the counts of its last reply, plus the points counted while Redis was
   * unavailable.
   */
  readonly known: WindowCounts;
  readonly redis: RedisConnection | undefined;
}

/** A request for one point of a limit, for one key. */
export interface Claim {
  readonly limiter: Limiter;
  readonly key: string;
}

/**
 * Creates a limiter that counts in memory, or in Redis for all processes that share the Redis. While Redis is
 * unavailable, counting continues in memory from the last reply of Redis. If Redis lost its counts in the meantime, the
 * higher count applies. The stopwatch returns milliseconds; by default it is the monotonic clock of the system.
 */
export function createLimiter(limit: Limit, redis?: RedisConnection, stopwatch?: () => number): Limiter {
  return { limit, known: new WindowCounts(limit.seconds * 1000, limit.maxKeys ?? MAX_KEYS, stopwatch), redis };
}

/**
 * Takes one point for every claim, or no points if any limit is used up. The counts are exact even if calls are
 * concurrent. All claims of a call must have the same Redis connection, or no Redis connection. The promise never
 * rejects.
 */
export async function takeAll(claims: readonly Claim[]): Promise<Usage[]> {
  return take(claims);
}

/** Like `takeAll`, but returns the usages without a promise if the claims are counted in memory. */
export function take(claims: readonly Claim[]): Usage[] | Promise<Usage[]> {
  const redis = claims[0]?.limiter.redis;
  // If a limit is used up in memory, it is also used up in Redis, so Redis is not asked.
  if (redis === undefined || isAnyUsedUp(claims)) return takeInMemory(claims);
  return takeShared(redis, claims).then((usages) => usages ?? takeInMemory(claims));
}

/** Whether a limit is used up, as far as this process knows. If so, `take` takes no points. */
export function isAnyUsedUp(claims: readonly Claim[]): boolean {
  return claims.some(isUsedUp);
}

const MAX_KEYS = 100_000;

function takeInMemory(claims: readonly Claim[]): Usage[] {
  if (isAnyUsedUp(claims)) {
    const rejected = claims.map(rejectedUsage);
    // A window can have ended after the first check, so that the request is no longer rejected.
    if (rejected.some(({ isOver }) => isOver)) return rejected;
  }
  return claims.map(({ limiter: { limit, known }, key }) => {
    const { points, resetMs } = known.add(key);
    return { points: limit.points, remaining: Math.max(0, limit.points - points), resetMs, isOver: false };
  });
}

/** Takes the points in Redis. Returns undefined while Redis is unavailable. */
async function takeShared(redis: RedisConnection, claims: readonly Claim[]): Promise<Usage[] | undefined> {
  const sentAt = performance.now();
  let isAborted = false;
  const takePoints = async () => {
    const { isTaken, counts } = await takeInRedis(redis.client, claims.map(sharedCount));
    const sinceMs = performance.now() - sentAt;
    return claims.map((claim, index) => {
      const { count = 0, leftMs = 0 } = counts[index] ?? {};
      // The remaining time counts from the request to Redis, so that a window never ends later here than in Redis.
      // Aborted claims are counted in memory instead.
      updateKnown(claim, { count, leftMs: leftMs - sinceMs, isNew: isTaken && !isAborted });
      return usageOf(claim, isTaken ? isOverdrawn(claim) : count >= claim.limiter.limit.points);
    });
  };
  return redis.ask(takePoints).catch(() => {
    isAborted = true;
    return undefined;
  });
}

function sharedCount({ limiter: { limit, known }, key }: Claim): SharedCount {
  const { name, points, seconds } = limit;
  return {
    key: `repo-insight:limit:${name}:${key}`,
    points,
    windowMs: seconds * 1000,
    known: known.countOf(key),
    knownLeftMs: known.leftMs(key),
  };
}

interface SharedUsage {
  readonly count: number;
  readonly leftMs: number;
  /** Whether the count of Redis includes a point that the count in memory does not include yet. */
  readonly isNew: boolean;
}

/**
 * Updates the count in memory to the higher of two counts: the count of Redis, or the count of this process with the
 * new point.
 */
function updateKnown({ limiter: { known }, key }: Claim, { count, leftMs, isNew }: SharedUsage): void {
  // The window has ended before the reply of Redis arrived.
  if (leftMs <= 0) return;
  if (isNew) known.add(key);
  if (count >= known.countOf(key)) known.set(key, count, leftMs);
}

function isUsedUp({ limiter, key }: Claim): boolean {
  return limiter.known.countOf(key) >= limiter.limit.points;
}

/**
 * Whether the count in memory exceeds the limit. This is possible if Redis lost its counts and therefore accepted more
 * points.
 */
function isOverdrawn({ limiter, key }: Claim): boolean {
  return limiter.known.countOf(key) > limiter.limit.points;
}

function rejectedUsage(claim: Claim): Usage {
  return usageOf(claim, isUsedUp(claim));
}

function usageOf({ limiter, key }: Claim, isOver: boolean): Usage {
  const { limit, known } = limiter;
  const remaining = Math.max(0, limit.points - known.countOf(key));
  return { points: limit.points, remaining, resetMs: known.leftMs(key), isOver };
}

/** The points of a key, and the end of its window on the monotonic clock, in milliseconds. */
interface Window {
  points: number;
  readonly endsAt: number;
}

/** Counts the points of each key in its window, in memory. Time is measured with the monotonic clock. */
export class WindowCounts {
  readonly #windowMs: number;
  readonly #windows: LRUCache<string, Window>;
  readonly #stopwatch: () => number;

  /** If there are more than `maxKeys` keys, the least recently used key is dropped. */
  constructor(windowMs: number, maxKeys: number, stopwatch: () => number = performance.now.bind(performance)) {
    this.#windowMs = windowMs;
    this.#stopwatch = stopwatch;
    // The option `maxSize` is used because with `max`, the cache would allocate the memory for all entries immediately.
    // The option `ttl` is not used, because each call would then read the clock.
    this.#windows = new LRUCache({ maxSize: maxKeys, sizeCalculation: () => 1 });
  }

  /** Returns the points that the key has taken; 0 if the key has no open window. */
  countOf(key: string): number {
    return this.#open(key, this.#stopwatch())?.points ?? 0;
  }

  /** Returns the milliseconds until the window of the key ends; 0 if the key has no open window. */
  leftMs(key: string): number {
    const now = this.#stopwatch();
    return this.#rest(this.#open(key, now)?.endsAt ?? now, now);
  }

  /** Adds points. The first points of a key begin its window. */
  add(key: string, points = 1): { readonly points: number; readonly resetMs: number } {
    const now = this.#stopwatch();
    let window = this.#open(key, now);
    if (window === undefined) {
      window = { points: 0, endsAt: now + this.#windowMs };
      this.#windows.set(key, window);
    }
    window.points += points;
    return { points: window.points, resetMs: this.#rest(window.endsAt, now) };
  }

  /** Sets the count and the remaining time of the window to the values of Redis. */
  set(key: string, points: number, leftMs: number): void {
    this.#windows.set(key, { points, endsAt: this.#stopwatch() + Math.min(leftMs, this.#windowMs) });
  }

  /** Returns the remaining time. The result is limited, because rounding errors can make the difference a little larger than the window. */
  #rest(endsAt: number, now: number): number {
    return Math.min(this.#windowMs, endsAt - now);
  }

  #open(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && now < window.endsAt ? window : undefined;
  }
}
