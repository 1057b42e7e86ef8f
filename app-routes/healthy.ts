import { TimeoutStrategy, timeout } from 'cockatiel';
import { exactObject } from '../http/json-schema.js';
import type { Operation } from '../http/operations/operation.js';
import { RETRY_AFTER_SECONDS } from '../http/problems/http-problem.js';

/** A part of the service that tells whether it answers: resolves when it does, rejects otherwise. */
export interface Pinged {
  ping(timeoutMs: number): Promise<void>;
}

export interface HealthParts {
  readonly database: Pinged;
  /** Parts that the service can do without; undefined where they are not configured. */
  readonly redis: Pinged | undefined;
  readonly shadow: Pinged | undefined;
}

const PING_TIMEOUT_MS = 2_000;

/** `GET /healthy/`: 200 while the service can answer, 503 with the same body while it cannot. */
export function healthOperation(parts: HealthParts): Operation {
  const look = shared(() => Promise.all([answers(parts.database), answers(parts.redis), answers(parts.shadow)]));
  return {
    id: 'healthy',
    method: 'get',
    path: '/healthy/',
    tag: 'Service',
    summary: 'Whether the service and its parts are well',
    description:
      'Answers 503 with the same body while the database is away; the service can do without the other parts. One that is ' +
      'not configured is well.',
    access: 'open',
    answer: HEALTH,
    statuses: [200, 503],
    handle: async () => {
      const [database, redis, shadow] = await look();
      return {
        status: database ? 200 : 503,
        ...(database ? {} : { headers: { 'Retry-After': RETRY_AFTER_SECONDS } }),
        body: { healthy: database, isTiDBHealthy: database, isRedisHealthy: redis, isShadowTiDBHealthy: shadow },
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

/** Whether the part answers in time, also where its ping takes longer than it was given. What is not there need not. */
async function answers(part: Pinged | undefined): Promise<boolean> {
  if (part === undefined) return true;
  const ping = timeout(PING_TIMEOUT_MS, TimeoutStrategy.Aggressive).execute(() => part.ping(PING_TIMEOUT_MS));
  return ping.then(
    () => true,
    () => false,
  );
}

/** Whoever asks while the work is under way gets what it comes to, so that many who ask cost as much as one. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
