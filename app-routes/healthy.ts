import { type Response, Router } from 'express';
import { allowOnly } from './allow-only.js';

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
export function healthRoutes(parts: HealthParts): Router {
  const router = Router();
  const look = shared(() => Promise.all([answers(parts.database), answers(parts.redis), answers(parts.shadow)]));
  router
    .route('/healthy')
    .get(async (_request, response) => tell(response, await look()))
    .all(allowOnly('GET'));
  return router;
}

function tell(response: Response, [database, redis, shadow]: readonly boolean[]): void {
  response.status(database ? 200 : 503).json({
    healthy: database,
    isTiDBHealthy: database,
    isRedisHealthy: redis,
    isShadowTiDBHealthy: shadow,
  });
}

/** Whether the part answers in time, also where its ping takes longer than it was given. What is not there need not. */
async function answers(part: Pinged | undefined): Promise<boolean> {
  if (part === undefined) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS);
  });
  const answered = part.ping(PING_TIMEOUT_MS).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
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
