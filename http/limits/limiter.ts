import { LRUCache } from 'lru-cache';
import type { RedisConnection } from './redis.js';
import { type SharedCount, takeInRedis } from './redis-counts.js';

/** How much may be taken in a window of time, which begins for each key when it first takes something. */
export interface Limit {
  /** Under which the counts are kept; no two limits share one. */
  readonly name: string;
  readonly points: number;
  /** Length of the window, in whole seconds. */
  readonly seconds: number;
  /** Keys that are remembered; beyond that the one that was silent for longest is forgotten. Default 100,000. */
  readonly maxKeys?: number;
}

/** What a key has of its limit. */
export interface Usage {
  readonly points: number;
  readonly remaining: number;
  /** Milliseconds until all points are there again. */
  readonly resetMs: number;
  /** Whether nothing was left to take. */
  readonly isOver: boolean;
}

/** One limit with its counts. */
export interface Limiter {
  readonly limit: Limit;
  /** What this process knows. Of limiters in Redis it is what Redis said last, and what was counted while it was away. */
  readonly known: WindowCounts;
  readonly redis: RedisConnection | undefined;
}

/** One of a limit, for a key. */
export interface Asked {
  readonly limiter: Limiter;
  readonly key: string;
}

/**
 * Counts in memory, or in Redis for all processes that share it. While Redis is away the counts go on in memory, from what it
 * said last; when it comes back with less, having lost them, the higher count holds.
 */
export function createLimiter(limit: Limit, redis?: RedisConnection): Limiter {
  return { limit, known: new WindowCounts(limit.seconds * 1000, limit.maxKeys ?? MAX_KEYS), redis };
}

/**
 * Takes one of every limit, or of none where one is used up; exact however many ask at once. Limiters that are asked together
 * share one Redis, or have none. Never rejects.
 */
export async function takeAll(asked: readonly Asked[]): Promise<Usage[]> {
  // What is known to be used up need not be asked for.
  if (asked.some(isUsedUp)) return asked.map(refusedUsage);
  const redis = asked[0]?.limiter.redis;
  return (redis && (await takeShared(redis, asked))) ?? takeHere(asked);
}

const MAX_KEYS = 100_000;

function takeHere(asked: readonly Asked[]): Usage[] {
  if (asked.some(isUsedUp)) return asked.map(refusedUsage);
  for (const { limiter, key } of asked) limiter.known.add(key);
  return asked.map((one) => usageOf(one, false));
}

/** Undefined while Redis is away. */
async function takeShared(redis: RedisConnection, asked: readonly Asked[]): Promise<Usage[] | undefined> {
  const sentAt = performance.now();
  let isGivenUp = false;
  const take = async () => {
    const { isTaken, counts } = await takeInRedis(redis.client, asked.map(sharedCount));
    const sinceMs = performance.now() - sentAt;
    return asked.map((one, index) => {
      const { count = 0, leftMs = 0 } = counts[index] ?? {};
      // Counted from the sending, a window never ends later here than in Redis. What was given up is counted here already.
      learn(one, { count, leftMs: leftMs - sinceMs, isNew: isTaken && !isGivenUp });
      return usageOf(one, isTaken ? isOverdrawn(one) : count >= one.limiter.limit.points);
    });
  };
  return redis.ask(take).catch(() => {
    isGivenUp = true;
    return undefined;
  });
}

function sharedCount({ limiter: { limit, known }, key }: Asked): SharedCount {
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
  /** Whether it counts one that this process has not counted. */
  readonly isNew: boolean;
}

/** The higher count holds: of Redis, or of this process with the new one. */
function learn({ limiter: { known }, key }: Asked, { count, leftMs, isNew }: SharedUsage): void {
  // Its window has ended meanwhile.
  if (leftMs <= 0) return;
  if (isNew) known.add(key);
  if (count >= known.countOf(key)) known.set(key, count, leftMs);
}

function isUsedUp({ limiter, key }: Asked): boolean {
  return limiter.known.countOf(key) >= limiter.limit.points;
}

/** Where Redis lost its counts, it lets more through than this process knows to be left. */
function isOverdrawn({ limiter, key }: Asked): boolean {
  return limiter.known.countOf(key) > limiter.limit.points;
}

function refusedUsage(asked: Asked): Usage {
  return usageOf(asked, isUsedUp(asked));
}

function usageOf({ limiter, key }: Asked, isOver: boolean): Usage {
  const { limit, known } = limiter;
  const remaining = Math.max(0, limit.points - known.countOf(key));
  return { points: limit.points, remaining, resetMs: known.leftMs(key), isOver };
}

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
