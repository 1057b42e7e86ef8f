import type { Logger } from 'pino';
import type { Database } from '../engine/index.js';
import { openRedis, type RedisConnection } from './redis.js';
import type { Settings } from './settings/settings.js';
import { Shadow } from './shadow/shadow.js';
import { openForReading } from './warehouse.js';

/** What the service can do without; undefined where it is not configured. */
export interface OptionalParts {
  readonly redis: RedisConnection | undefined;
  readonly shadow: Shadow | undefined;
  close(): Promise<void>;
}

/** Opens what is configured; `timeoutMs` is for Redis. A part that is away keeps nobody from starting: the log tells, and it is tried again. */
export async function openOptionalParts(
  settings: Settings,
  database: Database,
  logger: Logger,
  timeoutMs: number,
): Promise<OptionalParts> {
  const { redisUrl, shadowDatabaseUrl, shadowSamplePercent: samplePercent } = settings;
  const redis = redisUrl === undefined ? undefined : await openRedis({ url: redisUrl, timeoutMs, logger });
  const other = { ...settings, databaseUrl: shadowDatabaseUrl, databaseConnections: CONNECTIONS };
  const open = () => openForReading(other, (notice) => logger.warn(notice), 0);
  const shadow = shadowDatabaseUrl === undefined ? undefined : new Shadow({ samplePercent, database, open, logger });
  return {
    redis,
    shadow,
    close: async () => {
      redis?.close();
      await shadow?.close();
    },
  };
}

/** Of the shadow, which reads a sample only. */
const CONNECTIONS = 2;
