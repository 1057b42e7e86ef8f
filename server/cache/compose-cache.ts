import type { DataVersions, Engine } from '../../engine/index.js';
import { createAnswerCache, type RunningAnswerCache } from '../../http/cache/serving/request-cache.js';
import type { RedisConnection } from '../../http/limits/redis.js';
import type { Settings } from '../settings/settings.js';

export interface CacheOptions {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly versions: DataVersions;
  readonly redis: RedisConnection | undefined;
  readonly clock: () => Date;
}

/** Creates the cache of answers: in memory, and in Redis if it is configured. */
export function composeCache({ settings, engine, versions, clock }: CacheOptions): RunningAnswerCache {
  return createAnswerCache({ engine, versions, memoryBytes: settings.cacheMemory, clock });
}
