import type { Logger } from 'pino';
import {
  type BrokenEndpoint,
  type DataVersions,
  type Engine,
  formatProblems,
  MAX_LOOKED_UP_TEXTS,
  ROLLUP_STATE,
} from '../../engine/index.js';
import { isOwnTableName } from '../../warehouse/own-tables/own-table-name.js';
import type { LiveDefinitions } from '../live/live-definitions.js';
import { type RepeatedWork, repeat } from './repeat.js';

const EVERY_MS = 60_000;
/**
 * Time limit of one check of all queries, so that the check does not delay the start. The next check continues with the remaining queries.
 */
const WITHIN_MS = 5_000;

/**
 * Logs which endpoints are broken and why. At the start, it checks all queries in the database. Every minute, it repeats the check for
 * queries that the database rejected or could not check. So no restart is necessary when a missing table is created later. With `versions`,
 * it also repeats the check as soon as a table of the operator is loaded, or a materialized table is refreshed.
 */
export async function watchEndpoints(
  engine: Engine,
  definitions: Pick<LiveDefinitions, 'retryRejected'>,
  logger: Logger,
  versions?: DataVersions,
): Promise<RepeatedWork> {
  for (const broken of engine.broken()) logBroken(broken, logger);
  const reported = new Set<string>();
  const look = async () => {
    // Without requests, versions are not read, and the tables that another process has created stay unknown.
    await versions?.confirm().catch(() => undefined);
    await definitions.retryRejected();
    const { newlyBroken, repaired, truncated, remaining } = await engine.lookUp({ withinMs: WITHIN_MS });
    for (const broken of newlyBroken) logBroken(broken, logger);
    for (const endpoint of repaired)
      logger.info({ endpoint }, 'the database accepts the queries of this endpoint again');
    for (const endpoint of truncated.filter((name) => !reported.has(name))) {
      reported.add(endpoint);
      logger.warn({ endpoint }, `only ${MAX_LOOKED_UP_TEXTS} of its SQL texts were looked up in the database`);
    }
    if (remaining > 0)
      logger.warn(
        { remaining },
        'the queries of some endpoints are not checked yet; the service already serves these endpoints',
      );
  };
  const lookUps = repeat('looking up queries', EVERY_MS, look, logger);
  await lookUps.now();
  const forget = versions?.onChange((tables) => {
    if ([...tables].some((table) => isOwnTableName(table) || table === ROLLUP_STATE)) void lookUps.now();
  });
  const stop = () => {
    forget?.();
    return lookUps.stop();
  };
  return { now: lookUps.now, stop };
}

function logBroken(broken: BrokenEndpoint, logger: Logger): void {
  const { name, path, file } = broken;
  logger.error(
    { endpoint: name, path, file, problems: formatProblems([broken]) },
    'this endpoint is broken: it answers 503',
  );
}
