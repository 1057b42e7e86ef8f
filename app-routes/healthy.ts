import { Router } from 'express';

const PING_TIMEOUT_MS = 2_000;

/** `GET /healthy/`: 200 while the service can answer, 503 with the same body while it cannot. */
export function healthRoutes(database: { ping(timeoutMs: number): Promise<void> }): Router {
  const router = Router();
  router.get('/healthy', async (_request, response) => {
    const databaseAnswers = await database.ping(PING_TIMEOUT_MS).then(
      () => true,
      () => false,
    );
    // Redis and a shadow database are optional parts: not configured, they are not unhealthy.
    response.status(databaseAnswers ? 200 : 503).json({
      healthy: databaseAnswers,
      isTiDBHealthy: databaseAnswers,
      isRedisHealthy: true,
      isShadowTiDBHealthy: true,
    });
  });
  return router;
}
