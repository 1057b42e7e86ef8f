import type { DataVersions, Engine } from '../../engine/index.js';
import { createAnswerCache, type RunningAnswerCache } from '../../http/cache/serving/request-cache.js';
import { createRedisAnswers } from '../../http/cache/shared/redis-answers.js';
import type { RedisConnection } from '../../http/limits/redis.js';
import { SERVICE } from '../../http/package-root.js';
import { databasePlace } from '../settings/database-location.js';
import type { Settings } from '../settings/settings.js';

export interface CacheOptions {
  readonly settings: Settings;
  readonly engine: Engine;
  readonly versions: DataVersions;
  readonly redis: RedisConnection | undefined;
  readonly clock: () => Date;
}

/** Creates the cache of answers: in memory, and in Redis if it is configured. */
export function composeCache({ settings, engine, versions, redis, clock }: CacheOptions): RunningAnswerCache {
  const { cacheMemory: memoryBytes, cacheRedisMemory: maxBytes } = settings;
  const shared =
    redis === undefined || maxBytes === 0
      ? undefined
      : createRedisAnswers({ redis, maxBytes, namespace: namespaceOf(settings) });
  return createAnswerCache({ engine, versions, memoryBytes, shared, clock, now: Date.now });
}

/** Services with other data, another fixed time or another limit of the age answer the same request differently. */
function namespaceOf({ now, staleAfterHours, ...location }: Settings): string {
  return JSON.stringify([SERVICE.version, databasePlace(location), now, staleAfterHours]);
}
