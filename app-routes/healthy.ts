import { type Response, Router } from 'express';
import { allowOnly } from './allow-only.js';

const PING_TIMEOUT_MS = 2_000;

/** `GET /healthy/`: 200 while the service can answer, 503 with the same body while it cannot. */
export function healthRoutes(database: { ping(timeoutMs: number): Promise<void> }): Router {
  const router = Router();
  router
    .route('/healthy')
    .get(async (_request, response) => {
      const answers = await database.ping(PING_TIMEOUT_MS).then(
        () => true,
        () => false,
      );
      tell(response, answers);
    })
    .all(allowOnly('GET'));
  return router;
}

/** Redis and a shadow database are optional parts: not configured, they are not unhealthy. */
function tell(response: Response, databaseAnswers: boolean): void {
  response.status(databaseAnswers ? 200 : 503).json({
    healthy: databaseAnswers,
    isTiDBHealthy: databaseAnswers,
    isRedisHealthy: true,
    isShadowTiDBHealthy: true,
  });
}
