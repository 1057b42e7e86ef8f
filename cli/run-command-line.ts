import { existsSync } from 'node:fs';
import { DatabaseHeldError } from '../databases/duckdb/open-error.js';
import { makeFolder } from '../server/make-folder.js';
import { readSettings } from '../server/settings/read-settings.js';
import type { Settings } from '../server/settings/settings.js';
import { databaseFile, openWarehouse, type Warehouse } from '../server/warehouse.js';
import type { CommandContext } from './command-context.js';
import { runInServer } from './control.js';
import { errorMessage } from './error-message.js';
import { Output, type Terminal } from './output.js';
import { runCommand } from './run-command.js';

/** Everything that a command line gets from its process. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly terminal: Terminal;
  /** Aborted when the command shall stop. */
  readonly signal: AbortSignal;
}

/** Runs one command line, in the server that holds the database file if there is one. Prints errors; resolves to the exit code. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const { words, terminal, signal } = line;
  const output = new Output(terminal);
  try {
    const settings = readSettings(line.environment);
    return await runHere(line, settings, output).catch(async (error: unknown) => {
      if (!(error instanceof DatabaseHeldError) || words[0] === 'serve') throw error;
      const code = await runInServer(settings, { words, cwd: line.cwd }, terminal, signal);
      if (code === undefined) throw error;
      return code;
    });
  } catch (error) {
    output.error(errorMessage(error));
    return 2;
  }
}

async function runHere(
  { words, environment, cwd, signal }: CommandLine,
  settings: Settings,
  output: Output,
): Promise<number> {
  let opened: Promise<Warehouse> | undefined;
  const open = (migrating: boolean, onNotice = (notice: string) => output.warn(notice)) => {
    opened ??= makeFolder(settings.dataDirectory).then(() => openWarehouse(settings, { migrating, onNotice }));
    return opened;
  };
  const newWarehouse = (onNotice?: (message: string) => void) => open(true, onNotice);
  const context: CommandContext = {
    output,
    settings,
    environment,
    cwd,
    signal,
    exitCode: 0,
    run: runCommand,
    newWarehouse,
    warehouse: async () => {
      const file = databaseFile(settings);
      if (opened === undefined && file !== undefined && !existsSync(file)) {
        throw new Error(`There is no database ${file} yet. ${MAKE_ONE}`);
      }
      return open(false);
    },
  };
  try {
    return await runCommand(words, context);
  } finally {
    await opened?.then((warehouse) => warehouse.close()).catch(() => undefined);
  }
}

const MAKE_ONE =
  'Without DATABASE_URL, `npm start` makes one with demo data; `data import`, `data migrate` and `data demo` make one, too.';
