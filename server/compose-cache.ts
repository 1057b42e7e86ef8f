import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAnswerCache, type RunningAnswerCache } from '../engine/http/cache/serving/request-cache.js';
import type { RedisConnection } from '../engine/http/redis/redis.js';
import type { Database, DataVersions, Engine } from '../engine/index.js';
import { databasePlace } from './settings/database-location.js';
import type { Settings } from './settings/settings.js';

export interface CacheOptions {
  readonly settings: Settings;
  readonly database: Database;
  readonly engine: Engine;
  readonly versions: DataVersions;
  readonly redis: RedisConnection | undefined;
  readonly clock: () => Date;
  readonly systemClock: () => Date;
}

/** Creates the cache of answers: in memory, and also in Redis if it is configured. Without Redis, the modules for it are not loaded. */
export async function composeCache(options: CacheOptions): Promise<RunningAnswerCache> {
  const { settings, database, engine, versions, redis, clock, systemClock } = options;
  const { cacheMemory: memoryBytes, cacheRedisMemory: maxBytes } = settings;
  const shared =
    redis === undefined || maxBytes === 0
      ? undefined
      : (await import('../engine/http/cache/stores/redis-answers.js')).createRedisAnswers({
          redis,
          maxBytes,
          namespace: namespaceOf(settings, await versionOf(database)),
        });
  return createAnswerCache({ engine, versions, memoryBytes, shared, clock, now: () => systemClock().getTime() });
}

/**
 * Returns the namespace of the answers in Redis. Processes share answers only if they have the same build, database, version of the
 * database server or library, `NOW` and `STALE_AFTER_HOURS`, because each of these can change an answer.
 */
function namespaceOf({ now, staleAfterHours, ...location }: Settings, databaseVersion: string): string {
  return JSON.stringify([hashProgram(), databaseVersion, databasePlace(location), now, staleAfterHours]);
}

/** Returns the version of the database server or library, or `unknown` if the query fails. */
async function versionOf(database: Database): Promise<string> {
  const query = database.query({ sql: 'SELECT VERSION()' }, [], { maxRows: 1, timeoutMs: VERSION_MS });
  return query.then(({ rows }) => String(rows[0]?.[0])).catch(() => 'unknown');
}

const VERSION_MS = 10_000;

/**
 * Returns a hash of the compiled files that determine the bytes of answers. Two builds with the same version number can answer a request
 * differently, so builds must not share cached answers.
 */
function hashProgram(): string {
  const hash = createHash('sha256');
  for (const layer of LAYERS) {
    for (const file of readdirSync(join(COMPILED, layer), { recursive: true, encoding: 'utf8' }).sort()) {
      if (file.endsWith('.js')) hash.update(`${layer}/${file}\n`).update(readFileSync(join(COMPILED, layer, file)));
    }
  }
  return hash.digest('base64url');
}

const LAYERS = ['engine', 'warehouse'];
const COMPILED = fileURLToPath(new URL('..', import.meta.url));
