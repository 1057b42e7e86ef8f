import type { OpenDatabase } from '../../../server/databases/warehouse.js';
import type { Logger } from '../../../server/logging/log.js';
import type { ProcessRole, Service } from '../../../server/service.js';
import { databaseFile } from '../../../server/settings/database-location.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { errorMessage } from '../../terminal/error-message.js';
import { Output } from '../../terminal/output.js';
import { allowOptimizing } from './allow-optimizing.js';

export interface RunningParts {
  readonly context: CommandContext;
  readonly warehouse: OpenDatabase;
  readonly logger: Logger;
  readonly isWatching: boolean;
  /** The role of this process in a service of several processes. */
  readonly role?: ProcessRole;
}

/** Starts the service in this process and accepts commands for it until `use` has ended. `use` must close the service. */
export async function runService(
  { context, warehouse, logger, isWatching, role }: RunningParts,
  use: (service: Service, stopCommands: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let service: Service | undefined;
  const stopCommands = await acceptCommandsOf(context, () => service);
  try {
    const { startService } = await import('../../../server/service.js');
    service = await startService(context.settings, warehouse, logger, undefined, role);
    if (isWatching) await service.definitions.watch();
    allowOptimizing();
    await use(service, stopCommands);
  } finally {
    await stopCommands();
  }
}

/** Accepts commands from other processes: commands for the database file that this process has open, and commands for its service. */
async function acceptCommandsOf(
  context: CommandContext,
  getService: () => Service | undefined,
): Promise<() => Promise<void>> {
  const { acceptCommands, SERVICE_STOPPED } = await import('../../terminal/control.js');
  const { settings, signal } = context;
  const accepting = acceptCommands(settings, async (words, caller, terminal, callerGone) => {
    if (words[0] === 'serve') throw new Error('The service is already running.');
    if (words[0] === 'mcp') throw new Error('The command mcp cannot run in the service; start it with --url.');
    const elsewhere: CommandContext['elsewhere'] = { words };
    const code = await context.run(words, {
      ...context,
      service: getService(),
      output: new Output(terminal),
      cwd: caller.cwd,
      input: async () => caller.input,
      ask: undefined,
      elsewhere,
      // No other service listens at this socket, so during the start none can be asked.
      askServices: async () => {
        throw new Error('The service is still starting. Try again when it listens.');
      },
      settings: { ...settings, ...caller.settings },
      signal: AbortSignal.any([signal, callerGone]),
      exitCode: 0,
    });
    // The command was ended by the stop of the service and not by its caller. The caller gets this message even if the connection is closed
    // first.
    if (elsewhere.isEndless && signal.aborted) throw new Error(SERVICE_STOPPED);
    return code;
  });
  return accepting.catch((error: unknown) => {
    // With a database file that is written, commands need the socket, so a failure is fatal. Otherwise, only `endpoint reload` and similar
    // commands need the socket.
    if (settings.api === undefined && databaseFile(settings) !== undefined) throw error;
    context.output.warn(`\`endpoint reload\` cannot reach this service; use SIGHUP: ${errorMessage(error)}`);
    return async () => undefined;
  });
}
