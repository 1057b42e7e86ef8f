import type { SharedWorkStatus } from '../../../server/background/shared-work.js';
import type { Logger } from '../../../server/logging/log.js';
import type { CollectMetrics } from '../../../server/metrics/scrape.js';
import { PrimaryLink } from '../../../server/workers/primary-link.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';
import { describeBroken } from './announce.js';
import { runService } from './run-service.js';

/** Serves as one of several workers, until the primary process stops this worker. */
export async function serveAsWorker(context: CommandContext, isWatching: boolean): Promise<void> {
  const link = new PrimaryLink();
  try {
    const { createLog } = await import('../../../server/logging/log.js');
    const serving = serve(context, link, createLog(context.settings, { isShared: true }), isWatching);
    // If the worker must stop during its start, the start is not awaited.
    if ((await Promise.race([serving, link.startEnded()])) !== 'stopped') await serving;
  } catch (error) {
    // The primary process prints this error.
    link.reportFailure(errorMessage(error));
    context.exitCode = 2;
  } finally {
    link.close();
  }
}

async function serve(context: CommandContext, link: PrimaryLink, logger: Logger, isWatching: boolean): Promise<void> {
  const { isFirst, count, history } = await link.begin();
  const notify = (notice: string) => logger.warn(notice);
  // Only the first worker may migrate the tables, because during a restart, workers with the earlier program may still read them.
  const warehouse = await (isFirst ? context.newWarehouse(notify) : context.warehouse(notify));
  const collectMetrics: CollectMetrics = (own) => link.collectMetrics(own);
  const reportStatus = (status: SharedWorkStatus) => link.reportSharedWork(status);
  const role = { doesSharedWork: isFirst, collectMetrics, reportStatus, workers: count, history };
  const parts = { context, warehouse, logger, isWatching, role };
  const { readOwnMetrics } = await import('../../../server/metrics/scrape.js');
  await runService(parts, async (service, stopCommands) => {
    const reportMetrics = async () => link.reportMetrics(await readOwnMetrics(service.metrics));
    const reportError = (error: unknown) => logger.error({ err: error }, 'an order of the primary process failed');
    link.on('read-metrics', () => void reportMetrics().catch(reportError));
    link.on('reload', () => service.definitions.reloadInBackground({ isAsked: true }));
    link.on('take-shared-work', () => {
      logger.info('this worker refreshes trends and deletes old rows from now on');
      service.startSharedWork().catch(reportError);
    });
    link.onSharedWorkStatus((status) => service.useSharedWorkStatus(status));
    service.definitions.followHistory((served) => link.reportDefinitions(served));
    const { url, endpoints } = service;
    link.reportReady({ url, endpoints, broken: await describeBroken(service) });
    const reason = await link.stopped;
    // From here on, the worker must not answer commands, because it no longer reloads definitions.
    await stopCommands();
    await service.close(reason, reason === 'stop' ? link : undefined);
    // Reports the final counts, which stay in the metrics of the service.
    await reportMetrics().catch(reportError);
  });
}
