import { databaseFile } from '../settings/database-location.js';
import { SETTINGS, type Settings } from '../settings/settings.js';

const LIMITS = ['rateLimitPerHour', 'rateLimitPerMinute', 'playgroundPerMinute', 'callerLimitPerMinute'] as const;

/** Throws an error if these settings do not work with several workers, or would not be applied exactly. */
export function requireSharedParts(settings: Settings, workers: number): void {
  const file = databaseFile(settings);
  if (file !== undefined) {
    throw new Error(
      `--workers needs a database server: only one process can open ${file}. ` +
        'Set DATABASE_URL to mysql://…, or start without --workers.',
    );
  }
  if (workers === 1 || settings.redisUrl !== undefined) return;
  const limits = LIMITS.filter((name) => settings[name] > 0).map((name) => SETTINGS[name].name);
  if (limits.length === 0) return;
  throw new Error(
    `--workers ${workers} needs REDIS_URL: without it, each worker would count its own requests, and callers could send ` +
      `${workers} times as many as the limits allow. Set REDIS_URL, or disable the limits: ` +
      `${limits.map((name) => `${name}=0`).join(' ')}.`,
  );
}
