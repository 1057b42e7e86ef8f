import type { Logger } from 'pino';
import type { Database } from '../../engine/index.js';
import { ageOfRefresh, refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { Store } from '../../warehouse/store/store.js';
import { isLate } from './is-late.js';
import { type RepeatedWork, repeat } from './repeat.js';

/** The time between two computations of the trends. The archives are hourly, so the trends do not change more often. */
const EVERY_MS = 3_600_000;
/** The maximum time that the start waits for the trends. For a large database, their computation takes longer. */
const FIRST_MS = 5_000;

/**
 * Computes the trends every hour. At the start, computes them at once and waits for them, unless an earlier process has computed
 * them from the same tables less than an hour ago: then the next computation is an hour after that one.
 */
export async function keepTrendsCurrent(
  store: Store,
  database: Database,
  clock: () => Date,
  logger: Logger,
): Promise<RepeatedWork> {
  const ageMs = (await ageOfRefresh(database, clock()).catch(() => undefined)) ?? EVERY_MS;
  const refresh = () => refreshAsOf(store, clock());
  const firstMs = ageMs < EVERY_MS ? EVERY_MS - ageMs : EVERY_MS;
  const trends = repeat('refreshing trends', EVERY_MS, refresh, logger, firstMs);
  if (ageMs >= EVERY_MS && (await isLate(trends.now(), FIRST_MS))) {
    logger.info('the refresh of trends continues in the background; until it ends, answers with trends are stale');
  }
  return trends;
}
