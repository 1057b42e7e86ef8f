import { once } from 'node:events';
import { createLog } from '../../../server/logging/log.js';
import { DEFAULT_CONNECTIONS } from '../../../server/settings/database-location.js';
import { SETTINGS } from '../../../server/settings/settings.js';
import { requireSharedParts } from '../../../server/workers/require-shared-parts.js';
import { stopLimit } from '../../../server/workers/stop-limit.js';
import { WorkerPool } from '../../../server/workers/worker-pool.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { plural } from '../../terminal/numbers.js';
import { allowOptimizing } from './allow-optimizing.js';
import { announce } from './announce.js';

/**
 * Serves with several worker processes. The primary process only starts, monitors and replaces workers and passes connections to them, so
 * it does not load the service.
 */
export async function serveWithWorkers(context: CommandContext, count: number, isWatching: boolean): Promise<void> {
  const { settings, output, signal } = context;
  requireSharedParts(settings, count);
  allowOptimizing();
  const pool = new WorkerPool({
    count,
    stopLimitMs: stopLimit(settings),
    logger: createLog(settings, { isShared: true }),
  });
  // A second signal ends this process immediately, and then the workers are killed. If the primary process ends without a signal, it has
  // crashed, and its workers finish their requests.
  context.process.onExit(() => {
    if (signal.aborted) pool.kill();
  });
  context.process.onHangUp(() => pool.reload());
  context.process.onRestart(() => pool.restart());
  const ready = await pool.start(signal);
  if (ready !== undefined) {
    announce(context, ready, isWatching);
    output.print(describeResources(context, count));
    const stopped = AbortSignal.any([signal, pool.failed]);
    if (!stopped.aborted) await once(stopped, 'abort');
    output.note('Stopping: finishing the requests in progress.');
  }
  await pool.close();
  pool.failed.throwIfAborted();
}

function describeResources({ settings }: CommandContext, count: number): string {
  const { databaseConnections: connections = DEFAULT_CONNECTIONS.server, cacheMemory } = settings;
  const each = `${connections} connections for reading (DATABASE_CONNECTIONS) and ${SETTINGS.cacheMemory.format?.(cacheMemory)} for answers (CACHE_MEMORY)`;
  return `${plural(count, 'worker')}; each has ${each}. SIGUSR2 to process ${process.pid} replaces the workers one after the other.`;
}
