import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { Service } from '../../server/service.js';
import { databaseFile, databasePlace } from '../../server/settings/database-location.js';
import type { CommandContext } from '../terminal/command-context.js';
import { errorMessage } from '../terminal/error-message.js';
import { plural } from '../terminal/numbers.js';
import { Output } from '../terminal/output.js';
import { makeDemoDatabase } from './data/demo.js';

export function addServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service; without DATABASE_URL and without a database, it first creates one with demo data')
    .option('--watch', 'reload the definitions when a file changes')
    .action((options: Options) => serve(context, options));
}

interface Options {
  readonly watch?: boolean;
}

async function serve(context: CommandContext, { watch = false }: Options): Promise<void> {
  const { createLog } = await import('../../server/logging/log.js');
  const { requireFreePort } = await import('../../server/listening/listen.js');
  const { settings } = context;
  await requireFreePort(settings);
  if (settings.metricsPort !== undefined) {
    await requireFreePort({ host: settings.host, port: settings.metricsPort, portSetting: 'METRICS_PORT' });
  }
  const file = databaseFile(settings);
  // Real hours of the archive must not mix with demo data.
  const isDemo = settings.databaseUrl === undefined && settings.followArchive === 'no';
  if (isDemo && file !== undefined && !existsSync(file)) {
    allowOptimizing();
    await makeDemoDatabase(context, file);
  }
  const logger = createLog(settings);
  const warehouse = await context.newWarehouse((notice) => logger.warn(notice));
  let service: Service | undefined;
  const stopAccepting = await acceptCommandsOf(context, () => service);
  try {
    const { startService } = await import('../../server/service.js');
    const started = await startService(settings, warehouse, logger);
    service = started;
    // Without a terminal, SIGHUP does not stop the service. The log contains the result of a reload.
    context.onHangUp(() => started.definitions.reloadInBackground());
    if (watch) await started.definitions.watch();
    allowOptimizing();
    await serveUntilStopped(context, started, watch);
  } finally {
    await stopAccepting();
  }
}

/** Allows V8 to optimize hot code, which `repo-insight.cts` disables for the start. */
function allowOptimizing(): void {
  setFlagsFromString('--opt');
}

/** Accepts the commands of other processes: those for the database file that this process holds, and those for its service. */
async function acceptCommandsOf(
  context: CommandContext,
  getService: () => Service | undefined,
): Promise<() => Promise<void>> {
  const { acceptCommands, ownSocket } = await import('../terminal/control.js');
  const { settings, signal } = context;
  const accepting = acceptCommands(ownSocket(settings), async (words, caller, terminal, callerGone) => {
    if (words[0] === 'serve') throw new Error('The service is already running.');
    if (words[0] === 'mcp') throw new Error('The command mcp cannot run in the service; start it with --url.');
    return context.run(words, {
      ...context,
      service: getService(),
      output: new Output(terminal),
      cwd: caller.cwd,
      input: async () => caller.input,
      ask: undefined,
      elsewhere: { words },
      // The only service at this socket is this one.
      askServices: async () => {
        throw new Error('The service is still starting. Try again when it listens.');
      },
      settings: { ...settings, ...caller.settings },
      signal: AbortSignal.any([signal, callerGone]),
      exitCode: 0,
    });
  });
  return accepting.catch((error: unknown) => {
    // Commands for the file of an embedded database need the socket. On a server, only `endpoint reload` and similar commands do.
    if (databaseFile(settings) !== undefined) throw error;
    context.output.warn(`\`endpoint reload\` cannot reach this service; use SIGHUP: ${errorMessage(error)}`);
    return async () => undefined;
  });
}

async function serveUntilStopped(
  { settings, output, signal }: CommandContext,
  service: Service,
  isWatching: boolean,
): Promise<void> {
  output.print(`repo-insight is listening at ${service.url}`);
  output.print(`  trending repositories  ${service.url}/v1/trends/repos/`);
  output.print(`  collections            ${service.url}/v1/collections/`);
  output.print(`  health                 ${service.url}/healthy/`);
  output.print(`${service.endpoints} endpoints over ${databasePlace(settings)}. Stop with Ctrl-C.`);
  if (isWatching) output.print('A changed definition is served as soon as its file is saved.');
  await warnAboutBroken(output, service);
  if (!signal.aborted) await once(signal, 'abort');
  output.note('Stopping: finishing the requests in progress.');
  await service.close();
}

async function warnAboutBroken(output: Output, service: Service): Promise<void> {
  const broken = service.broken();
  if (broken.length === 0) return;
  const { formatProblems } = await import('../../engine/index.js');
  const verb = broken.length === 1 ? 'returns' : 'return';
  output.warn(`${plural(broken.length, 'endpoint')} cannot be served and ${verb} 503:`);
  for (const problem of formatProblems(broken)) output.warn(`  ${problem}`);
}
