import { existsSync } from 'node:fs';
import { DatabaseHeldError } from '../databases/duckdb/open-error.js';
import { makeFolder } from '../server/make-folder.js';
import { databaseFile } from '../server/settings/database-location.js';
import { readSettings } from '../server/settings/read-settings.js';
import type { Settings } from '../server/settings/settings.js';
import { openWarehouse, type Warehouse } from '../server/warehouse.js';
import type { CommandContext } from './command-context.js';
import { runInServer } from './control.js';
import { errorMessage } from './error-message.js';
import { Output, ownTerminal } from './output.js';
import { runCommand } from './run-command.js';

/** Runs one command line and sets the exit code of the process. */
export async function main(words: readonly string[]): Promise<void> {
  const terminal = ownTerminal();
  const output = new Output(terminal);
  const stop = new AbortController();
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A service answers requests, whoever reads what it prints.
      if (words[0] === 'serve') return;
      // Whoever read the output, such as `head`, has seen enough.
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
  // A terminal that is closed says so by SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      stop.abort(new Error(`stopped by ${signal}`));
      // The same one once more ends what does not want to stop.
      process.once(signal, () => process.exit(130));
    });
  }
  try {
    const settings = readSettings(process.env);
    process.exitCode = await runHere(words, settings, output, stop.signal).catch(async (error: unknown) => {
      if (!(error instanceof DatabaseHeldError) || words[0] === 'serve') throw error;
      const code = await runInServer(settings, words, terminal, stop.signal);
      if (code === undefined) throw error;
      return code;
    });
  } catch (error) {
    output.error(errorMessage(error));
    process.exitCode = 2;
  }
  // Nor does a service that has ended wait for a reader that has stopped reading.
  if (words[0] === 'serve') setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

const LAST_WORDS_MS = 2_000;

async function runHere(
  words: readonly string[],
  settings: Settings,
  output: Output,
  signal: AbortSignal,
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
    cwd: process.cwd(),
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
