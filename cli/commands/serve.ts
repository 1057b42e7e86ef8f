import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';
import { wholeNumber } from '../terminal/numbers.js';

export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description(
      context.settings.api === undefined
        ? 'run the service; without DATABASE_URL and without a database, it first creates one with demo data'
        : 'serve the endpoints of this folder',
    )
    .option('--watch', 'reload the definitions when a file changes')
    .option(
      '--workers <number>',
      'serve with this many processes, or `auto`: one per core; needs a database server',
      parseWorkers,
    )
    .action((options: Options) => serve(context, options));
}

interface Options {
  readonly watch?: boolean;
  readonly workers?: number;
}

async function serve(context: CommandContext, { watch = false, workers }: Options): Promise<void> {
  if (context.process.isWorker) {
    const { serveAsWorker } = await import('./serve/worker.js');
    await serveAsWorker(context, watch);
    return;
  }
  await requireFreePorts(context.settings);
  if (workers !== undefined) {
    const { serveWithWorkers } = await import('./serve/primary.js');
    await serveWithWorkers(context, workers, watch);
  } else {
    const { serveAlone } = await import('./serve/alone.js');
    await serveAlone(context, watch);
  }
}

async function requireFreePorts(settings: CommandContext['settings']): Promise<void> {
  const { requireFreePort } = await import('../../server/listening/listen.js');
  await requireFreePort(settings);
  const { host, metricsPort: port } = settings;
  if (port !== undefined) await requireFreePort({ host, port, portSetting: 'METRICS_PORT' });
}

function parseWorkers(text: string): number {
  if (text === 'auto') return Math.min(MAX_WORKERS, availableParallelism());
  try {
    return wholeNumber(1, MAX_WORKERS)(text);
  } catch {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MAX_WORKERS}, or auto.`);
  }
}

const MAX_WORKERS = 64;
