import type { Operation } from './operation.js';

const PING_TIMEOUT_MS = 2_000;

/** `GET /healthy/`: 200 while the service can answer, 503 with the same body while it cannot. */
export function healthOperation(database: { ping(timeoutMs: number): Promise<void> }): Operation {
  return {
    id: 'healthy',
    method: 'get',
    path: '/healthy/',
    tag: 'Service',
    summary: 'Whether the service and its parts are well',
    description: 'Answers 503 with the same body while the database is away. A part that is not configured is well.',
    access: 'open',
    answer: HEALTH,
    statuses: [200, 503],
    handle: async () => {
      const answers = await database.ping(PING_TIMEOUT_MS).then(
        () => true,
        () => false,
      );
      return { status: answers ? 200 : 503, body: healthOf(answers) };
    },
  };
}

/** Redis and a shadow database are optional parts: not configured, they are not unhealthy. */
function healthOf(databaseAnswers: boolean) {
  return {
    healthy: databaseAnswers,
    isTiDBHealthy: databaseAnswers,
    isRedisHealthy: true,
    isShadowTiDBHealthy: true,
  };
}

const BOOLEAN = { type: 'boolean' };
const HEALTH = {
  type: 'object',
  additionalProperties: false,
  required: ['healthy', 'isTiDBHealthy', 'isRedisHealthy', 'isShadowTiDBHealthy'],
  properties: { healthy: BOOLEAN, isTiDBHealthy: BOOLEAN, isRedisHealthy: BOOLEAN, isShadowTiDBHealthy: BOOLEAN },
};
