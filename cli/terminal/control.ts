import { rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { relative, resolve as resolvePath } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { databaseFile } from '../../server/settings/database-location.js';
import type { Settings } from '../../server/settings/settings.js';
import { errorMessage } from './error-message.js';
import type { Terminal } from './output.js';

/**
 * Only one process can open a database file. While a server holds it, that server runs the commands of other processes: they
 * arrive through a socket next to the file and write to the caller's terminal. Only the owner of the file may use the socket.
 */
interface CommandRequest extends CallerSettings {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The text of the standard input, if the command needs it. */
  readonly input?: string;
  readonly columns: number;
  readonly colour: boolean;
}

/** Settings of the caller that replace the settings of the server. */
export type CallerSettings = Pick<Settings, 'endpointsDirectory' | 'now' | 'archiveUrl'>;

/** One line of the response to a command. */
type CommandEvent = { readonly out: string } | { readonly err: string } | { readonly exit: number };

export type CommandRunner = (
  words: readonly string[],
  caller: { readonly cwd: string; readonly input: string; readonly settings: CallerSettings },
  terminal: Terminal,
  signal: AbortSignal,
) => Promise<number>;

/**
 * Accepts commands for the database file until the returned function is called. Throws if the socket cannot be created.
 */
export async function acceptCommands(file: string, run: CommandRunner): Promise<() => Promise<void>> {
  const path = socketPath(file);
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `The path of the database, ${file}, is too long for the socket next to it: expected at most ` +
        `${MAX_SOCKET_PATH_BYTES} bytes, got ${bytes} (${path}). Start from a folder closer to the file, or move the file.`,
    );
  }
  const server = createServer((incoming, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller disconnected')));
    const send = (event: CommandEvent) => response.write(`${JSON.stringify(event)}\n`);
    text(incoming)
      .then(async (body) => {
        // JSON omits undefined values. Without the explicit list of names here, a setting that the caller does not have
        // would keep the value of the server.
        const { words, cwd, input = '', ...rest } = JSON.parse(body) as CommandRequest;
        const { columns, colour, endpointsDirectory, now, archiveUrl } = rest;
        const settings = { endpointsDirectory, now, archiveUrl };
        const output = { out: (out: string) => send({ out }), err: (err: string) => send({ err }) };
        const terminal = { isTerminal: false, columns, colour, ...output };
        send({ exit: await run(words, { cwd, input, settings }, terminal, gone.signal) });
      })
      .catch((error: unknown) => {
        send({ err: `${errorMessage(error)}\n` });
        send({ exit: 2 });
      })
      .finally(() => response.end());
  });
  // This process has the lock of the database, so an existing socket belongs to a process that has ended.
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    // `listen` creates the socket; changing its mode afterwards would be too late.
    const mask = process.umask(0o177);
    server.once('error', reject).listen(path, resolve);
    process.umask(mask);
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** Runs a command in the server that has the file open; undefined if no server answers on the socket of the file. */
export async function runInServer(
  settings: Settings,
  { words, cwd, input }: Pick<CommandRequest, 'words' | 'cwd' | 'input'>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { columns, colour } = terminal;
  const { endpointsDirectory, now, archiveUrl } = settings;
  const folder = endpointsDirectory && resolvePath(endpointsDirectory);
  const caller = { endpointsDirectory: folder, now, archiveUrl, cwd };
  const body: CommandRequest = { words, columns, colour, ...caller, ...(input !== undefined && { input }) };
  return new Promise((resolve, reject) => {
    const file = databaseFile(settings);
    if (file === undefined) return resolve(undefined);
    const path = socketPath(file);
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) return resolve(undefined);
    const outgoing = request({ socketPath: path, method: 'POST', path: '/', signal });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
    outgoing.once('response', (response) => {
      let exit: number | undefined;
      const lines = createInterface({ input: response });
      // This handler only prevents an uncaught error. An aborted answer causes an error of the request, or a missing
      // exit code, which is checked below.
      lines.once('error', () => undefined);
      lines.on('line', (line) => {
        const event = JSON.parse(line) as CommandEvent;
        if ('out' in event) terminal.out(event.out);
        else if ('err' in event) terminal.err(event.err);
        else exit = event.exit;
      });
      lines.once('close', () => {
        if (exit === undefined) reject(new Error('The server stopped before the command completed.'));
        else resolve(exit);
      });
    });
    outgoing.end(JSON.stringify(body));
  });
}

/**
 * The maximum length of a socket path. The system silently truncates a longer path, so the socket would get another
 * name.
 */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Returns the path of the socket. The path is relative to the working folder if that is shorter, because the maximum
 * length is low.
 */
function socketPath(file: string): string {
  const path = `${file}.sock`;
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
