import { rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Terminal } from './output.js';

/**
 * A database file belongs to one process. While a server holds it, commands go to that server through a socket beside
 * the file, run there, and write to the caller's terminal. Only the file's owner may use the socket.
 */
interface CommandRequest {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly columns: number;
  readonly colour: boolean;
}

/** One line of the answer. */
type CommandEvent = { readonly out: string } | { readonly err: string } | { readonly exit: number };

export type CommandRunner = (
  words: readonly string[],
  cwd: string,
  terminal: Terminal,
  signal: AbortSignal,
) => Promise<number>;

/** Takes commands for the holder of `databaseFile` until the returned function is called. */
export async function takeCommands(databaseFile: string, run: CommandRunner): Promise<() => Promise<void>> {
  const path = socketPath(databaseFile);
  const server = createServer((incoming, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the caller went away')));
    const send = (event: CommandEvent) => response.write(`${JSON.stringify(event)}\n`);
    text(incoming)
      .then(async (body) => {
        const { words, cwd, columns, colour } = JSON.parse(body) as CommandRequest;
        const terminal: Terminal = {
          isTerminal: false,
          columns,
          colour,
          out: (out) => send({ out }),
          err: (err) => send({ err }),
        };
        send({ exit: await run(words, cwd, terminal, gone.signal) });
      })
      .catch((error: Error) => {
        send({ err: `${error.message}\n` });
        send({ exit: 2 });
      })
      .finally(() => response.end());
  });
  // The database's lock tells that nobody else is serving, so a socket found here is a leftover.
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    // The socket is made while `listen` runs; a change of mode afterwards would come too late.
    const mask = process.umask(0o177);
    server.once('error', reject).listen(path, resolve);
    process.umask(mask);
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** Runs a command in the server that holds the file; undefined when no server answers there. */
export async function runInServer(
  databaseFile: string,
  words: readonly string[],
  cwd: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { columns, colour } = terminal;
  const body: CommandRequest = { words, cwd, columns, colour };
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: socketPath(databaseFile), method: 'POST', path: '/', signal });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
    outgoing.once('response', (response) => {
      let exit: number | undefined;
      const lines = createInterface({ input: response });
      // The answer that is cut off is told as an error of the request or, below, as one without an exit code.
      lines.once('error', () => undefined);
      lines.on('line', (line) => {
        const event = JSON.parse(line) as CommandEvent;
        if ('out' in event) terminal.out(event.out);
        else if ('err' in event) terminal.err(event.err);
        else exit = event.exit;
      });
      lines.once('close', () => {
        if (exit === undefined) reject(new Error('The server stopped before the command was done.'));
        else resolve(exit);
      });
    });
    outgoing.end(JSON.stringify(body));
  });
}

function socketPath(databaseFile: string): string {
  return `${databaseFile}.sock`;
}
