import type { Engine } from '../../engine/index.js';
import { createAnswerCache, type RunningAnswerCache } from '../../http/cache/serving/request-cache.js';
import type { RedisConnection } from '../../http/limits/redis.js';
import type { Settings } from '../settings/settings.js';
import type { Warehouse } from '../warehouse.js';

export interface CacheOptions {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly warehouse: Pick<Warehouse, 'versions'>;
  readonly redis: RedisConnection | undefined;
  readonly clock: () => Date;
}

/** Creates the cache of answers: in memory, and in Redis if it is configured. */
export function composeCache({ settings, engine, warehouse, clock }: CacheOptions): RunningAnswerCache {
  return createAnswerCache({ engine, versions: warehouse.versions, memoryBytes: settings.cacheMemory, clock });
}
