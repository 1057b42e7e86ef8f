import type { RequestHandler } from 'express';
import type { TakeTurn } from '../../app-routes/operation.js';
import type { RedisConnection } from '../redis.js';
import type { Settings } from '../settings/settings.js';
import { clientAddress } from './client-address.js';
import { limitRequests, type RequestLimit, turnsWithin } from './limit-requests.js';
import { createLimiter } from './limiter.js';

/** The headers that tell the limits, which scripts of other origins may read. */
export const LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Remaining-Minute',
] as const;

/** The limits of `/v1`: of each address in an hour, and of all in a minute. 0 turns one off, and its headers with it. */
export function publicLimits(
  { rateLimitPerHour, rateLimitPerMinute }: Pick<Settings, 'rateLimitPerHour' | 'rateLimitPerMinute'>,
  redis?: RedisConnection,
): RequestHandler {
  const [limit, remaining, limitMinute, remainingMinute] = LIMIT_HEADERS;
  const perAddress: RequestLimit = {
    limiter: createLimiter({ name: 'v1-address', points: rateLimitPerHour, seconds: 3600 }, redis),
    keyOf: clientAddress,
    words: `the limit of ${rateLimitPerHour} requests an hour from one address`,
    headers: { limit, remaining },
  };
  const ofAll: RequestLimit = {
    limiter: createLimiter({ name: 'v1-all', points: rateLimitPerMinute, seconds: 60, maxKeys: 1 }, redis),
    keyOf: () => 'all',
    words: `the limit of ${rateLimitPerMinute} requests a minute from all addresses together`,
    headers: { limit: limitMinute, remaining: remainingMinute },
  };
  return limitRequests([perAddress, ofAll].filter(({ limiter }) => limiter.limit.points > 0));
}

/** The limit of the playground: of each address in a minute. 0 turns it off. */
export function playgroundLimit(
  { playgroundPerMinute }: Pick<Settings, 'playgroundPerMinute'>,
  redis?: RedisConnection,
) {
  return minuteLimit('playground', playgroundPerMinute, 'queries of the playground', redis);
}

/** The limit of lookups, which may cost the operator's tokens: of each address in a minute. 0 turns it off. */
export function lookupsLimit({ lookupsPerMinute }: Pick<Settings, 'lookupsPerMinute'>, redis?: RedisConnection) {
  return minuteLimit('lookups', lookupsPerMinute, 'lookups', redis);
}

function minuteLimit(name: string, points: number, what: string, redis: RedisConnection | undefined): TakeTurn {
  const perAddress: RequestLimit = {
    limiter: createLimiter({ name, points, seconds: 60 }, redis),
    keyOf: clientAddress,
    words: `the limit of ${points} ${what} a minute from one address`,
  };
  return turnsWithin(points > 0 ? [perAddress] : []);
}
