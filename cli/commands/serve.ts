import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { formatProblems } from '../../engine/index.js';
import { createLog } from '../../server/logging/log.js';
import { startService } from '../../server/service.js';
import { databaseFile, databasePlace } from '../../server/settings/database-location.js';
import type { Warehouse } from '../../server/warehouse.js';
import type { CommandContext } from '../command-context.js';
import { takeCommands } from '../control.js';
import { plural } from '../numbers.js';
import { Output } from '../output.js';
import { makeDemoDatabase } from './data-demo.js';

export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service; makes demo data first when DATABASE_URL is not set and there is no database yet')
    .action(() => serve(context));
}

async function serve(context: CommandContext): Promise<void> {
  const { settings, signal } = context;
  const file = databaseFile(settings);
  if (settings.databaseUrl === undefined && file !== undefined && !existsSync(file)) {
    await makeDemoDatabase(context, file);
  }
  const logger = createLog(settings);
  const warehouse = await context.newWarehouse((notice) => logger.warn(notice));
  // A server's database takes commands from every process by itself.
  const stopTaking =
    file === undefined
      ? undefined
      : await takeCommands(file, async (words, caller, terminal, callerGone) => {
          if (words[0] === 'serve') throw new Error('This server serves already.');
          return context.run(words, {
            ...context,
            output: new Output(terminal),
            cwd: caller.cwd,
            settings: { ...settings, ...caller.settings },
            signal: AbortSignal.any([signal, callerGone]),
            exitCode: 0,
          });
        });
  try {
    await serveUntilStopped(context, warehouse, logger);
  } finally {
    await stopTaking?.();
  }
}

async function serveUntilStopped(
  { settings, output, signal }: CommandContext,
  warehouse: Warehouse,
  logger: Logger,
): Promise<void> {
  const service = await startService(settings, warehouse, logger);
  output.print(`repo-insight is listening at ${service.url}`);
  output.print(`  trending repositories  ${service.url}/v1/trends/repos/`);
  output.print(`  collections            ${service.url}/v1/collections/`);
  output.print(`  health                 ${service.url}/healthy/`);
  output.print(`${service.endpoints} endpoints over ${databasePlace(settings)}. Stop with Ctrl-C.`);
  const broken = service.broken();
  if (broken.length > 0) {
    output.warn(
      `${plural(broken.length, 'endpoint')} cannot be served and ${broken.length === 1 ? 'answers' : 'answer'} 503:`,
    );
    for (const problem of formatProblems(broken)) output.warn(`  ${problem}`);
  }
  if (!signal.aborted) await once(signal, 'abort');
  output.note('Stopping: finishing the requests in flight.');
  await service.close();
}
