import type { TakeTurn, Turns } from '../../app-routes/operation.js';
import type { RedisConnection } from '../redis.js';
import type { Settings } from '../settings/settings.js';
import { clientAddress } from './client-address.js';
import { type RequestLimit, turnsWithin } from './limit-requests.js';
import { createLimiter } from './limiter.js';

/** The headers that tell the limits, which scripts of other origins may read. */
export const LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Remaining-Minute',
] as const;

type LimitSettings = Pick<
  Settings,
  'rateLimitPerHour' | 'rateLimitPerMinute' | 'playgroundPerMinute' | 'callerLimitPerMinute'
>;

/** All limits of requests. 0 turns one off, and its headers with it. */
export function requestTurns(settings: LimitSettings, redis?: RedisConnection): Turns {
  return {
    public: publicTurns(settings, redis),
    playground: minuteTurns('playground', settings.playgroundPerMinute, 'queries of the playground', redis),
    lookup: minuteTurns('lookups', settings.callerLimitPerMinute, 'lookups', redis),
    signIn: minuteTurns('sign-in', settings.callerLimitPerMinute, 'requests to sign in', redis),
    change: changeTurns(settings.callerLimitPerMinute, redis),
  };
}

/** The limits of `/v1`, and of the same queries by name: of each address in an hour, and of all in a minute. */
function publicTurns(
  { rateLimitPerHour, rateLimitPerMinute }: LimitSettings,
  redis: RedisConnection | undefined,
): TakeTurn {
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
  return turnsWithin([perAddress, ofAll].filter(({ limiter }) => limiter.limit.points > 0));
}

/** A limit of each address in a minute. */
function minuteTurns(name: string, points: number, what: string, redis: RedisConnection | undefined): TakeTurn {
  const perAddress: RequestLimit = {
    limiter: createLimiter({ name, points, seconds: 60 }, redis),
    keyOf: clientAddress,
    words: `the limit of ${points} ${what} a minute from one address`,
  };
  return turnsWithin(points > 0 ? [perAddress] : []);
}

/** A limit of each user in a minute, from wherever they send. */
function changeTurns(points: number, redis: RedisConnection | undefined): Turns['change'] {
  const limiter = createLimiter({ name: 'changes', points, seconds: 60 }, redis);
  const words = `the limit of ${points} changes a minute of one user`;
  return async (request, { id }) => {
    const perUser: RequestLimit = { limiter, keyOf: () => String(id), words };
    await turnsWithin(points > 0 ? [perUser] : [])(request);
  };
}
