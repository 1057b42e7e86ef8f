import { TimeoutStrategy, timeout } from 'cockatiel';
import { singleFlight } from '../engine/index.js';
import { exactObject } from '../http/json-schema.js';
import type { Operation } from '../http/operations/operation.js';
import { RETRY_AFTER_SECONDS } from '../http/problems/http-problem.js';

/** A part of the service that can be checked. `ping` resolves if the part answers within the time limit, else it rejects. */
export interface HealthPart {
  ping(timeoutMs: number): Promise<void>;
}

export interface HealthParts {
  readonly database: HealthPart;
  /** Optional parts: the service works without them. They are undefined if they are not configured. */
  readonly redis: HealthPart | undefined;
  readonly shadow: HealthPart | undefined;
}

const PING_TIMEOUT_MS = 2_000;

/** `GET /healthy/` answers 200 if the database answers, else 503 with the same body. Concurrent requests share one check. */
export function healthOperation(parts: HealthParts): Operation {
  const { database, redis, shadow } = parts;
  const check = singleFlight(() => Promise.all([isAnswering(database), isAnswering(redis), isAnswering(shadow)]));
  return {
    id: 'healthy',
    method: 'get',
    path: '/healthy/',
    tag: 'Service',
    summary: 'Reports whether the service and its parts are healthy',
    description:
      'Status 503 with the same body means that the database does not answer. The service works without the other parts. A ' +
      'part that is not configured counts as healthy.',
    access: 'open',
    answer: HEALTH,
    statuses: [200, 503],
    handle: async () => {
      const [healthy, isRedisHealthy, isShadowTiDBHealthy] = await check();
      return {
        status: healthy ? 200 : 503,
        ...(healthy ? {} : { headers: { 'Retry-After': RETRY_AFTER_SECONDS } }),
        body: { healthy, isTiDBHealthy: healthy, isRedisHealthy, isShadowTiDBHealthy },
      };
    },
  };
}

const BOOLEAN = { type: 'boolean' };
const HEALTH = exactObject('Health', {
  healthy: BOOLEAN,
  isTiDBHealthy: BOOLEAN,
  isRedisHealthy: BOOLEAN,
  isShadowTiDBHealthy: BOOLEAN,
});

/**
 * Whether the part answers in time; true for a part that is not configured. This function has its own time limit,
 * because a ping can exceed the time limit that it gets.
 */
export async function isAnswering(part: HealthPart | undefined): Promise<boolean> {
  if (part === undefined) return true;
  const ping = timeout(PING_TIMEOUT_MS, TimeoutStrategy.Aggressive).execute(() => part.ping(PING_TIMEOUT_MS));
  return ping.then(
    () => true,
    () => false,
  );
}
