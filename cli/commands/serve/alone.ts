import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { databaseFile } from '../../../server/settings/database-location.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { makeDemoDatabase } from '../data/demo.js';
import { allowOptimizing } from './allow-optimizing.js';
import { announce, describeBroken } from './announce.js';
import { runService } from './run-service.js';

/** Serves with one process. */
export async function serveAlone(context: CommandContext, isWatching: boolean): Promise<void> {
  const { createLog } = await import('../../../server/logging/log.js');
  const { settings, output, signal } = context;
  const file = databaseFile(settings);
  // Demo data is only created if the archive is not followed, because demo data must not be mixed with real hours.
  const isDemo = settings.api === undefined && settings.databaseUrl === undefined && settings.followArchive === 'no';
  if (isDemo && file !== undefined && !existsSync(file)) {
    allowOptimizing();
    await makeDemoDatabase(context, file);
  }
  const logger = createLog(settings);
  const warehouse = await context.newWarehouse((notice) => logger.warn(notice));
  await runService({ context, warehouse, logger, isWatching }, async (service) => {
    // If there is no terminal, SIGHUP does not stop the service but reloads it. The log contains the result.
    context.process.onHangUp(() => service.definitions.reloadInBackground({ isAsked: true }));
    context.process.onRestart(() => logger.warn('SIGUSR2 restarts only workers: start the service with --workers'));
    const { url, endpoints } = service;
    announce(context, { url, endpoints, broken: await describeBroken(service) }, isWatching);
    if (!signal.aborted) await once(signal, 'abort');
    output.note('Stopping: finishing the requests in progress.');
    await service.close();
  });
}
