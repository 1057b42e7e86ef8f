import { runCommand } from '../../cli/run-command-line.js';
import { type CommandContext, NO_SERVICE_PROCESS } from '../../cli/terminal/command-context.js';
import { Output } from '../../cli/terminal/output.js';
import type { Settings } from '../../server/settings/settings.js';
import type { Warehouse } from '../../server/warehouse.js';
import { createTerminal, type Outcome, type TerminalKind } from './command-line.js';

/** Runs a command line in this process with an open warehouse, as a service does for commands from other processes. */
export async function runHere(
  words: readonly string[],
  settings: Settings,
  warehouse: Warehouse,
  kind?: Partial<TerminalKind>,
): Promise<Outcome> {
  const terminal = createTerminal(kind);
  const context: CommandContext = {
    output: new Output(terminal),
    settings,
    environment: {},
    cwd: process.cwd(),
    signal: new AbortController().signal,
    warehouse: async () => warehouse,
    newWarehouse: async () => warehouse,
    service: undefined,
    askServices: async () => [],
    process: NO_SERVICE_PROCESS,
    run: runCommand,
    input: async () => '',
    ask: undefined,
    elsewhere: { words },
    exitCode: 0,
  };
  try {
    return { code: await runCommand(words, context), ...terminal.texts() };
  } catch (error) {
    const { out, err } = terminal.texts();
    return { code: 2, out, err: `${err}${(error as Error).message}\n` };
  }
}
