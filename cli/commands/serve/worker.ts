import type { Logger } from '../../../server/logging/log.js';
import { PrimaryLink } from '../../../server/workers/primary-link.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';
import { describeBroken } from './announce.js';
import { runService } from './run-service.js';

/** Serves as one of several workers, until the primary process stops this one. */
export async function serveAsWorker(context: CommandContext, isWatching: boolean): Promise<void> {
  const link = new PrimaryLink();
  try {
    const { createLog } = await import('../../../server/logging/log.js');
    await serve(context, link, createLog(context.settings), isWatching);
  } catch (error) {
    // The primary process reports it.
    link.reportFailure(errorMessage(error));
    context.exitCode = 2;
  } finally {
    link.close();
  }
}

async function serve(context: CommandContext, link: PrimaryLink, logger: Logger, isWatching: boolean): Promise<void> {
  const { isFirst } = await link.begin();
  const notify = (notice: string) => logger.warn(notice);
  // Only the first worker may change the tables: workers with the earlier program may still read them.
  const warehouse = await (isFirst ? context.newWarehouse(notify) : context.warehouse(notify));
  const parts = { context, warehouse, logger, isWatching, doesSharedWork: isFirst };
  await runService(parts, async (service, stopCommands) => {
    link.onReload(() => service.definitions.reloadInBackground());
    link.onTakeSharedWork(() => {
      logger.info('this worker refreshes trends and deletes old rows from now on');
      service
        .startSharedWork()
        .catch((error: unknown) => logger.error({ err: error }, 'the shared work did not start'));
    });
    const { url, endpoints } = service;
    link.reportReady({ url, endpoints, broken: await describeBroken(service) });
    const reason = await link.stopped;
    // A worker that stops must not report old definitions.
    await stopCommands();
    await service.close(reason);
  });
}
