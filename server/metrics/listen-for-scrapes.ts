import { type Listening, listen } from '../listening/listen.js';
import type { Logger } from '../logging/log.js';
import type { Settings } from '../settings/settings.js';
import type { Timeouts } from '../settings/timeouts.js';
import { metricsListener, type ReadMetrics } from './scrape.js';

/** Starts the server for metrics, if `METRICS_PORT` is set. */
export async function listenForScrapes(
  settings: Pick<Settings, 'host' | 'metricsPort' | 'metricsToken' | 'shutdownTimeout'>,
  timeouts: Timeouts,
  read: ReadMetrics,
  logger: Logger,
): Promise<Listening | undefined> {
  const { metricsPort: port, metricsToken } = settings;
  if (port === undefined) return undefined;
  const place = { ...settings, port, portSetting: 'METRICS_PORT' };
  const report = (error: unknown) => logger.error({ err: error }, 'the metrics could not be read');
  return listen(metricsListener(read, metricsToken, report), place, undefined, { ...timeouts, drainMs: 0 });
}
