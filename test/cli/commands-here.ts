import { runCommand } from '../../cli/run-command-line.js';
import { type CommandContext, type ForwardedCommand, NO_SERVICE_PROCESS } from '../../cli/terminal/command-context.js';
import { errorMessage } from '../../cli/terminal/error-message.js';
import { Output } from '../../cli/terminal/output.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { Settings } from '../../server/settings/settings.js';
import { answersFrom, createTerminal, type Outcome, type TerminalKind } from './command-line.js';

export interface HereOptions extends Partial<TerminalKind> {
  readonly cwd?: string;
  /** The text of the standard input. */
  readonly input?: string | undefined;
  /** The answers of a simulated user on a terminal. */
  readonly answers?: readonly string[] | undefined;
}

/** Opens a database whose tables exist, for several command lines: opening a file takes longer than most commands. */
export function openHere(environment: Readonly<Record<string, string>>): Promise<Warehouse> {
  return openWarehouse(readSettings(environment), { migrating: false });
}

/** Runs a command line in this process with an open warehouse, as a service does for commands from other processes. */
export async function runHere(
  words: readonly string[],
  settings: Settings,
  warehouse: Warehouse,
  { cwd = process.cwd(), input = '', answers, ...kind }: HereOptions = {},
): Promise<Outcome> {
  const terminal = createTerminal(kind);
  const elsewhere: ForwardedCommand = { words };
  const context: CommandContext = {
    output: new Output(terminal),
    settings,
    environment: {},
    cwd,
    signal: new AbortController().signal,
    warehouse: async () => warehouse,
    newWarehouse: async () => warehouse,
    service: undefined,
    askServices: async () => [],
    process: NO_SERVICE_PROCESS,
    run: runCommand,
    input: async () => {
      elsewhere.input ??= input;
      return elsewhere.input;
    },
    ask: answers && answersFrom(answers, terminal),
    elsewhere,
    exitCode: 0,
  };
  try {
    return { code: await runCommand(words, context), ...terminal.texts() };
  } catch (error) {
    const { out, err } = terminal.texts();
    return { code: 2, out, err: `${err}${errorMessage(error)}\n` };
  }
}
