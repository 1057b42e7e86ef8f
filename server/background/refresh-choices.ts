import type { Logger } from 'pino';
import {
  type ChoiceFailure,
  type ChoiceRefresh,
  type DataVersions,
  type Engine,
  singleFlight,
} from '../../engine/index.js';
import { isLate, type RepeatedWork, repeat } from './repeat.js';

const EVERY_MS = 5_000;
/** The service waits at most this time for the queries before it listens. */
const START_MS = 2_000;

/**
 * Runs the queries for the allowed values of parameters: now, at the interval in each definition, and after a change of their tables. A
 * failure is logged only once, until the query succeeds again.
 */
export async function keepChoicesCurrent(
  engine: Engine,
  versions: DataVersions,
  logger: Logger,
): Promise<RepeatedWork> {
  let failed = new Set<string>();
  const refresh = async (options: ChoiceRefresh) => {
    const failures = await engine.refreshChoices(options);
    for (const failure of failures) if (!failed.has(keyOf(failure))) logFailure(failure, logger);
    failed = new Set(failures.map(keyOf));
  };
  const work = repeat('refreshing the values of parameters', EVERY_MS, () => refresh({ onlyDue: true }), logger);
  const changed = new Set<string>();
  // Without this, a slow query on a table that changes all the time would run many times at once, and use all connections of its endpoint.
  const follow = singleFlight(async () => {
    while (changed.size > 0) {
      const tables = new Set(changed);
      changed.clear();
      await refresh({ tables });
    }
  });
  let following = Promise.resolve();
  const stopListening = versions.onChange((tables) => {
    for (const table of tables) changed.add(table);
    following = follow().catch((error: unknown) =>
      logger.error({ err: error }, 'refreshing the values of parameters failed'),
    );
  });
  if (await isLate(work.now(), START_MS)) {
    logger.warn('queries for the values of parameters are slow; until they end, the parameters accept every value');
  }
  return {
    now: () => work.now(),
    stop: async () => {
      stopListening();
      changed.clear();
      await Promise.all([work.stop(), following]);
    },
  };
}

function keyOf({ endpoint, parameter }: ChoiceFailure): string {
  return `${endpoint} ${parameter}`;
}

function logFailure({ cause, ...facts }: ChoiceFailure, logger: Logger): void {
  logger.warn({ ...facts, err: cause }, 'the values of a parameter could not be read; the last values stay in use');
}
