import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { createOwnFolder, findOwnFolders } from '../../engine/databases/own-folder.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { absoluteFolders } from '../../server/settings/definition-folders.js';
import type { Settings } from '../../server/settings/settings.js';
import { errorMessage } from './error-message.js';
import { drainedOf, type Terminal } from './terminal.js';

/**
 * Only one process can open a database file. If this process is a service, it runs the commands of other processes: they are sent through a
 * socket next to the file, and their output is printed on the caller's terminal. With a database server, each process of a service has a
 * socket in DATA_DIR, for commands about its definitions. Only the owner of the files may use a socket.
 */
interface CommandRequest extends CallerSettings, Pick<Terminal, 'colour'> {
  readonly words: readonly string[];
  readonly cwd: string;
  /** The text of the standard input, if the command needs it. */
  readonly input?: string;
  /** The width of the caller's terminal. Absent if the output of the caller is not a terminal. */
  readonly columns?: number;
}

/** Settings of the caller that override the settings of the service. */
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
 * Accepts commands for the service of this process until the returned function is called. Throws if the socket cannot be created.
 */
export async function acceptCommands(settings: SocketSettings, run: CommandRunner): Promise<() => Promise<void>> {
  const file = heldFile(settings);
  if (file !== undefined) return acceptAt(socketOfFile(file), `the database, ${file},`, run);
  const own = await createOwnFolder(settings.dataDirectory, OWN_KIND);
  try {
    const stop = await acceptAt(join(own.path, OWN_SOCKET), 'DATA_DIR', run);
    return () => stop().finally(() => own.remove());
  } catch (error) {
    await own.remove();
    throw error;
  }
}

/** Returns the file next to which the socket is. An API in a folder only reads its file, so it creates nothing next to it. */
function heldFile(settings: SocketSettings): string | undefined {
  return settings.api === undefined ? databaseFile(settings) : undefined;
}

async function acceptAt(socket: string, place: string, run: CommandRunner): Promise<() => Promise<void>> {
  const path = shortPath(socket);
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `The path of ${place} is too long for the socket next to it: expected at most ` +
        `${MAX_SOCKET_PATH_BYTES} bytes, got ${bytes} (${path}). Start from a folder closer to the file, or move the file.`,
    );
  }
  const server = createServer((incoming, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller disconnected')));
    const send = (event: CommandEvent) => response.write(`${JSON.stringify(event)}\n`);
    text(incoming)
      .then(async (body) => {
        // JSON omits undefined values. The names are listed explicitly, because otherwise a setting that is absent at the caller would keep
        // the value of the service.
        const { words, cwd, input = '', ...rest } = JSON.parse(body) as CommandRequest;
        const { columns, colour, endpointsDirectory, now, archiveUrl } = rest;
        const settings = { endpointsDirectory, now, archiveUrl };
        const output = {
          out: (out: string) => send({ out }),
          err: (err: string) => send({ err }),
          drained: () => drainedOf(response),
        };
        const terminal = { isTerminal: false, columns, colour, ...output };
        send({ exit: await run(words, { cwd, input, settings }, terminal, gone.signal) });
      })
      .catch((error: unknown) => {
        send({ err: `${errorMessage(error)}\n` });
        send({ exit: 2 });
      })
      .finally(() => response.end());
  });
  await listenAlone(server, path);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** Creates the socket with permissions only for the account of this process. */
async function listenAlone(server: Server, path: string): Promise<void> {
  // This process has the lock of the database, or of the folder of the socket. So an existing socket belongs to a process that has ended.
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    // The mask must be set before `listen`, which creates the socket; changing its mode afterwards would be too late.
    const mask = process.umask(0o177);
    // Without `exclusive`, the primary process of a worker would create the socket, with another mask.
    server.once('error', reject).listen({ path, exclusive: true }, resolve);
    process.umask(mask);
  });
}

/** Returns the path of the socket of the process that has this database file open. */
function socketOfFile(file: string): string {
  return `${file}.sock`;
}

/** Returns the paths of the sockets of services with these settings. The processes of these sockets may have ended. */
export async function findSockets(settings: SocketSettings): Promise<readonly string[]> {
  const file = heldFile(settings);
  if (file !== undefined) return [socketOfFile(file)];
  const folders = await findOwnFolders(settings.dataDirectory, OWN_KIND);
  return folders.map((folder) => join(folder, OWN_SOCKET));
}

type SocketSettings = Pick<Settings, 'databaseUrl' | 'dataDirectory' | 'api'>;

const OWN_KIND = 'serve';
const OWN_SOCKET = 'socket';

/** Pauses the response until the reader of the output has read the earlier parts. */
function pauseUntil(response: IncomingMessage, drained: Promise<void>): void {
  response.pause();
  void drained.finally(() => response.resume());
}

/** Runs a command in the service at this socket; undefined if no service answers. */
export async function runInService(
  socket: string,
  settings: Settings,
  { words, cwd, input }: Pick<CommandRequest, 'words' | 'cwd' | 'input'>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { columns, colour } = terminal;
  const { endpointsDirectory, now, archiveUrl } = settings;
  const folders = endpointsDirectory && absoluteFolders(endpointsDirectory);
  const caller = { endpointsDirectory: folders, now, archiveUrl, cwd };
  const body: CommandRequest = {
    words,
    colour,
    ...caller,
    ...(columns !== undefined && { columns }),
    ...(input !== undefined && { input }),
  };
  return new Promise((resolve, reject) => {
    const path = shortPath(socket);
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) return resolve(undefined);
    const outgoing = request({ socketPath: path, method: 'POST', path: '/', signal });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
    outgoing.once('response', (response) => {
      let exit: number | undefined;
      const lines = createInterface({ input: response });
      // This handler only prevents an uncaught error. If the response is aborted, the request fails or the exit code is missing, which is
      // checked below.
      lines.once('error', () => undefined);
      lines.on('line', (line) => {
        const event = JSON.parse(line) as CommandEvent;
        if ('out' in event) {
          terminal.out(event.out);
          const drained = terminal.drained?.();
          if (drained !== undefined) pauseUntil(response, drained);
        } else if ('err' in event) terminal.err(event.err);
        else exit = event.exit;
      });
      lines.once('close', () => {
        if (exit === undefined) reject(new Error(SERVICE_STOPPED));
        else resolve(exit);
      });
    });
    outgoing.end(JSON.stringify(body));
  });
}

/** The message for a caller whose command was ended by the stop of the service. */
export const SERVICE_STOPPED = 'The service stopped before the command completed.';

/** The maximum length of a socket path. The system silently truncates longer paths, so the socket would have another name. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Returns the path relative to the working directory if that is shorter, because the maximum length is low. */
function shortPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
