import type { Logger } from 'pino';
import type { ChoiceFailure, ChoiceRefresh, DataVersions, Engine } from '../../engine/index.js';
import { type RepeatedWork, repeat } from './repeat.js';

const EVERY_MS = 5_000;

/**
 * Runs the queries for the allowed values of parameters: now, after the time in each definition, and after a change of their tables.
 * Failures are logged once until the query succeeds.
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
  const stopListening = versions.onChange((tables) => {
    refresh({ tables }).catch((error: unknown) =>
      logger.error({ err: error }, 'refreshing the values of parameters failed'),
    );
  });
  await work.now();
  return {
    now: () => work.now(),
    stop: () => {
      stopListening();
      return work.stop();
    },
  };
}

function keyOf({ endpoint, parameter }: ChoiceFailure): string {
  return `${endpoint} ${parameter}`;
}

function logFailure({ cause, ...facts }: ChoiceFailure, logger: Logger): void {
  logger.warn({ ...facts, err: cause }, 'the values of a parameter could not be read; the last values stay in use');
}
