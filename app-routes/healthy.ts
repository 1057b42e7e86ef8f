import { TimeoutStrategy, timeout } from 'cockatiel';
import { exactObject } from '../engine/http/json-schema.js';
import type { OpenOperation } from '../engine/http/operations/operation.js';
import { RETRY_AFTER_SECONDS } from '../engine/http/problems/http-problem.js';
import { singleFlight } from '../engine/index.js';
import { FOLLOW_STATES, type FollowProgress } from '../warehouse/import/follow/follow-progress.js';

/** A part of the service that can be checked. `ping` resolves if the part answers within the time limit, and otherwise rejects. */
export interface HealthPart {
  ping(timeoutMs: number): Promise<void>;
}

export interface HealthParts {
  readonly database: HealthPart;
  /** Optional parts, without which the service still works. `redis` and `shadow` are undefined if they are not configured. */
  readonly redis: HealthPart | undefined;
  readonly shadow: HealthPart | undefined;
  /** The followed archive. Its progress is undefined if the archive was never followed into the database. */
  readonly archive?: { progress(): FollowProgress | undefined } | undefined;
}

/** The time limit for each part. */
export const PING_TIMEOUT_MS = 2_000;

/** `GET /healthy/` answers 200 if the database answers, else 503 with the same body. Concurrent requests share one check. */
export function healthOperation(parts: HealthParts): OpenOperation {
  const { database, redis, shadow, archive } = parts;
  const check = singleFlight(() => Promise.all([isAnswering(database), isAnswering(redis), isAnswering(shadow)]));
  return {
    id: 'healthy',
    method: 'get',
    path: '/healthy/',
    tag: 'Service',
    summary: 'Reports whether the service and its parts are healthy',
    description:
      'Status 503 with the same body means that the database does not answer. The service works without the other parts. A ' +
      'part that is not configured counts as healthy. `follow` is there if the archive is followed into the database; ' +
      'it never changes the status.',
    access: 'open',
    limit: 'none',
    answer: HEALTH,
    statuses: [200, 503],
    handle: async () => {
      const [healthy, isRedisHealthy, isShadowTiDBHealthy] = await check();
      const follow = archive?.progress();
      return {
        status: healthy ? 200 : 503,
        ...(healthy ? {} : { headers: { 'Retry-After': RETRY_AFTER_SECONDS } }),
        body: {
          healthy,
          isTiDBHealthy: healthy,
          isRedisHealthy,
          isShadowTiDBHealthy,
          ...(follow !== undefined && { follow }),
        },
      };
    },
  };
}

const BOOLEAN = { type: 'boolean' };
const STATES = { healthy: BOOLEAN, isTiDBHealthy: BOOLEAN, isRedisHealthy: BOOLEAN, isShadowTiDBHealthy: BOOLEAN };
const HOUR = { type: ['string', 'null'], description: 'An hour in UTC, such as `2026-01-31-5`.' };
const TIME = { type: ['string', 'null'], format: 'date-time' };
const NUMBER_OR_NULL = { type: ['number', 'null'] };
export const FOLLOW = exactObject('FollowProgress', {
  state: {
    type: 'string',
    enum: [...FOLLOW_STATES],
    description: 'The state of the follower in this service; `external` if it has none.',
  },
  from: HOUR,
  newestHour: HOUR,
  lagMs: { ...NUMBER_OR_NULL, description: 'Milliseconds since the end of the newest imported hour.' },
  missingHours: { ...NUMBER_OR_NULL, description: 'Hours since `from` that have ended and are not imported.' },
  lastImportedAt: TIME,
  importedHours: { type: 'integer', description: 'Hours that this service has imported since the follower began.' },
  lastError: { type: ['string', 'null'] },
  nextAttemptAt: TIME,
});
const HEALTH = {
  ...exactObject('Health', { ...STATES, follow: FOLLOW }),
  required: Object.keys(STATES),
};

/**
 * Whether the part answers in time; true for a part that is not configured. A separate time limit is applied, because a ping can exceed the
 * limit that it is given.
 */
export async function isAnswering(part: HealthPart | undefined): Promise<boolean> {
  if (part === undefined) return true;
  const ping = timeout(PING_TIMEOUT_MS, TimeoutStrategy.Aggressive).execute(() => part.ping(PING_TIMEOUT_MS));
  return ping.then(
    () => true,
    () => false,
  );
}
