import { existsSync } from 'node:fs';
import { databaseFile } from '../server/settings/database-location.js';
import { readSettings } from '../server/settings/read-settings.js';
import type { Settings } from '../server/settings/settings.js';
import type { Warehouse } from '../server/warehouse.js';
import { runCommand } from './run-command.js';
import type { CommandContext } from './terminal/command-context.js';
import { errorMessage } from './terminal/error-message.js';
import { Output, ownTerminal, type Terminal } from './terminal/output.js';

/** Runs one command line and sets the exit code of the process. */
export async function main(words: readonly string[]): Promise<void> {
  const isService = words[0] === 'serve';
  const terminal = ownTerminal();
  const output = new Output(terminal);
  endWithReader(isService);
  const signal = stopSignal();
  try {
    const settings = readSettings(process.env);
    process.exitCode = await runHere(words, settings, output, signal).catch((error: unknown) => {
      if (isService) throw error;
      return runThere(words, settings, { terminal, signal, error });
    });
  } catch (error) {
    output.error(errorMessage(error));
    process.exitCode = 2;
  }
  // A stopped service does not wait for a reader of its output that stalls.
  if (isService) setTimeout(() => process.exit(), LAST_OUTPUT_MS).unref();
}

const LAST_OUTPUT_MS = 2_000;

/** Ends the process when the reader of its output, such as `head`, goes away. A service continues without a reader. */
function endWithReader(isService: boolean): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isService) return;
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
}

/** Aborted by the first signal; the second signal ends the process. A closed terminal sends SIGHUP. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      stop.abort(new Error(`stopped by ${signal}`));
      process.once(signal, () => process.exit(130));
    });
  }
  return stop.signal;
}

async function runHere(
  words: readonly string[],
  settings: Settings,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  let opened: Promise<Warehouse> | undefined;
  const open = (migrating: boolean, onNotice = (notice: string) => output.warn(notice)) => {
    opened ??= openDatabase(settings, migrating, onNotice);
    return opened;
  };
  const context: CommandContext = {
    output,
    settings,
    cwd: process.cwd(),
    signal,
    exitCode: 0,
    run: runCommand,
    newWarehouse: (onNotice) => open(true, onNotice),
    warehouse: async () => {
      const file = databaseFile(settings);
      if (opened === undefined && file !== undefined && !existsSync(file)) {
        throw new Error(`There is no database ${file} yet. ${HOW_TO_CREATE}`);
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

const HOW_TO_CREATE =
  'Without DATABASE_URL, `npm start` creates one with demo data. `data import`, `data migrate` and `data demo` also create one.';

async function openDatabase(
  settings: Settings,
  migrating: boolean,
  onNotice: (message: string) => void,
): Promise<Warehouse> {
  const { makeFolder } = await import('../server/make-folder.js');
  const { openWarehouse } = await import('../server/warehouse.js');
  await makeFolder(settings.dataDirectory);
  return openWarehouse(settings, { migrating, onNotice });
}

/** Runs the command in the server that holds the database file. Throws `error` when it has another cause. */
async function runThere(
  words: readonly string[],
  settings: Settings,
  { terminal, signal, error }: { readonly terminal: Terminal; readonly signal: AbortSignal; readonly error: unknown },
): Promise<number> {
  const { DatabaseHeldError } = await import('../databases/duckdb/open-error.js');
  if (!(error instanceof DatabaseHeldError)) throw error;
  const { runInServer } = await import('./terminal/control.js');
  const code = await runInServer(settings, words, terminal, signal);
  if (code === undefined) throw error;
  return code;
}
