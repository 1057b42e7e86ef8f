import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommanderError } from 'commander';
import { DEFINITIONS_FOLDER } from '../engine/http/package-root.js';
import type { OpenDatabase } from '../server/databases/warehouse.js';
import { API_FILE } from '../server/settings/api-folder.js';
import { databaseFile, resolveDatabaseUrl } from '../server/settings/database-location.js';
import { definitionFolders } from '../server/settings/definition-folders.js';
import { readSettings } from '../server/settings/read-settings.js';
import type { Settings } from '../server/settings/settings.js';
import { createProgram } from './program.js';
import {
  type Ask,
  type CommandContext,
  type ForwardedCommand,
  NO_SERVICE_PROCESS,
  type ServiceProcess,
  type ServiceReply,
} from './terminal/command-context.js';
import { errorMessage } from './terminal/error-message.js';
import { Output } from './terminal/output.js';
import { applyDisplayOptions, type Terminal } from './terminal/terminal.js';

/** The inputs of a command line. The process provides all inputs. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly terminal: Terminal;
  /** Reads the standard input of the process to its end. */
  readonly input?: () => Promise<string>;
  /** Asks the user a question. Absent if there is no user to answer. */
  readonly ask?: Ask;
  /** Aborts when the command must stop. */
  readonly signal: AbortSignal;
  /** Lowers the priority of the process. Absent if the process also does other work. */
  readonly lowerPriority?: () => Promise<void>;
  readonly process?: ServiceProcess;
  readonly firstDemo?: CommandContext['firstDemo'];
}

/**
 * Runs a command line. If a service has the database file open, the command runs in that service. Prints errors and resolves to the exit
 * code.
 */
export async function runCommandLine(given: CommandLine): Promise<number> {
  const terminal = applyDisplayOptions(given.terminal, given.words);
  const output = new Output(terminal);
  try {
    const folder = findApiFolder(given.cwd);
    const line = { ...given, terminal, environment: await readEnvironment(given.environment, folder) };
    const settings = await readLocalSettings(line.environment, folder);
    const elsewhere: ForwardedCommand = { words: line.words };
    return await runHere(line, settings, output, elsewhere).catch((error: unknown) => {
      if (NEEDS_OWN_PROCESS.has(line.words[0] ?? '')) throw error;
      return runThere(line, elsewhere, settings, error);
    });
  } catch (error) {
    output.error(errorMessage(error));
    return 2;
  }
}

/**
 * Returns the environment of a command. In the folder of an API, the file `.env` contains settings too; variables of the environment take
 * precedence.
 */
async function readEnvironment(
  environment: CommandLine['environment'],
  folder: string | undefined,
): Promise<CommandLine['environment']> {
  if (folder === undefined) return environment;
  const { readEnvironmentFile } = await import('../server/settings/read-api-folder.js');
  return { DATA_DIR: join(folder, '.repo-insight'), ...(await readEnvironmentFile(folder)), ...environment };
}

/** Returns the nearest folder with `api.yaml`: the working directory, or one that contains it. */
function findApiFolder(cwd: string): string | undefined {
  if (existsSync(join(cwd, API_FILE))) return cwd;
  const parent = dirname(cwd);
  return parent === cwd ? undefined : findApiFolder(parent);
}

/** Reads the settings. In the folder of an API, the service offers this API. */
async function readLocalSettings(
  environment: CommandLine['environment'],
  folder: string | undefined,
): Promise<Settings> {
  const settings = readSettings(environment);
  if (folder === undefined) return settings;
  const { readApiFolder } = await import('../server/settings/read-api-folder.js');
  const api = await readApiFolder(folder, environment);
  if (definitionFolders({ ...settings, api }).includes(DEFINITIONS_FOLDER))
    throw new Error(`ENDPOINTS_DIR: \`built-in\` does not work with ${API_FILE}.`);
  const databaseUrl = settings.databaseUrl && resolveDatabaseUrl(settings.databaseUrl, folder);
  return { ...settings, databaseUrl, api };
}

/** Commands that cannot run in another process: a service listens, and `mcp` communicates through standard input. */
const NEEDS_OWN_PROCESS: ReadonlySet<string> = new Set(['serve', 'mcp']);

async function runHere(
  line: CommandLine,
  settings: Settings,
  output: Output,
  elsewhere: ForwardedCommand,
): Promise<number> {
  const { words, environment, cwd, signal } = line;
  // An import into a database server runs at low priority, so that it does not slow down a service on the same machine. With a database
  // file, this is not necessary, because no other process can have the file open.
  const isImport = words[0] === 'data' && (words[1] === 'import' || words[1] === 'follow');
  if (isImport && databaseFile(settings) === undefined) await line.lowerPriority?.();
  let opened: Promise<OpenDatabase> | undefined;
  const open = (migrating: boolean, onNotice = (notice: string) => output.warn(notice)) => {
    opened ??= openDatabase(settings, migrating, onNotice);
    return opened;
  };
  const context: CommandContext = {
    output,
    settings,
    environment,
    cwd,
    signal,
    elsewhere,
    ask: line.ask,
    input: async () => {
      elsewhere.input ??= (await line.input?.()) ?? '';
      return elsewhere.input;
    },
    exitCode: 0,
    process: line.process ?? NO_SERVICE_PROCESS,
    firstDemo: line.firstDemo,
    service: undefined,
    askServices: (asked) => askServices(line, settings, output, asked),
    run: runCommand,
    newWarehouse: (onNotice) => open(true, onNotice),
    warehouse: async (onNotice) => {
      const file = databaseFile(settings);
      if (opened === undefined && settings.api === undefined && file !== undefined && !existsSync(file)) {
        throw new Error(`There is no database ${file} yet. ${HOW_TO_CREATE}`);
      }
      return open(false, onNotice);
    },
  };
  try {
    return await runCommand(words, context);
  } finally {
    await opened?.then((warehouse) => warehouse.close()).catch(() => undefined);
  }
}

/** Runs a command in each running process of a service with these settings. Errors are printed immediately; outputs are returned. */
async function askServices(
  { cwd, terminal, signal }: CommandLine,
  settings: Settings,
  output: Output,
  words: readonly string[],
): Promise<readonly ServiceReply[]> {
  const { findSockets, runInService } = await import('./terminal/control.js');
  // Because of the timeout, a hanging process does not hide the results of the others.
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]);
  const ask = async (socket: string): Promise<ServiceReply | undefined> => {
    let out = '';
    const collecting: Terminal = {
      ...terminal,
      out: (text) => {
        out += text;
      },
    };
    try {
      const code = await runInService(socket, settings, { words, cwd }, collecting, limited);
      return code === undefined ? undefined : { code, out };
    } catch (error) {
      output.error(`The service at ${socket} did not answer: ${errorMessage(error)}`);
      return { code: 2, out };
    }
  };
  const replies = await Promise.all((await findSockets(settings)).map(ask));
  return replies.filter((reply) => reply !== undefined);
}

/** The timeout for the reply of a running service. */
const ASK_MS = 60_000;

const HOW_TO_CREATE =
  'Without DATABASE_URL, `npm start` creates one with demo data. `data import`, `data migrate` and `data demo` also create one.';

async function openDatabase(
  settings: Settings,
  migrating: boolean,
  onNotice: (message: string) => void,
): Promise<OpenDatabase> {
  const { makeFolder } = await import('../server/settings/make-folder.js');
  const { openWarehouse } = await import('../server/databases/open-database.js');
  await makeFolder(settings.dataDirectory);
  return openWarehouse(settings, { migrating, onNotice });
}

/** Runs the command in the service that has the database file open. Throws `error` if it has another cause, or if no service answers. */
async function runThere(
  { cwd, terminal, signal }: CommandLine,
  { words, input, isEndless = false }: ForwardedCommand,
  settings: Settings,
  error: unknown,
): Promise<number> {
  const { DatabaseHeldError } = await import('../engine/databases/duckdb/open-error.js');
  if (!(error instanceof DatabaseHeldError)) throw error;
  const { findSockets, runInService } = await import('./terminal/control.js');
  const forwarded = { words, cwd, ...(input !== undefined && { input }) };
  const [socket] = await findSockets(settings);
  if (socket === undefined) throw error;
  const code = await runInService(socket, settings, forwarded, terminal, signal).catch((reason: unknown) => {
    if (isEndless && signal.aborted) return 0;
    throw reason;
  });
  if (code === undefined) throw error;
  return code;
}

/** Runs one command line over a context and resolves to its exit code. If the command could not run, throws its error. */
export async function runCommand(words: readonly string[], context: CommandContext): Promise<number> {
  try {
    await createProgram(context).parseAsync([...words], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}
