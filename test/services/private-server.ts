import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

/** The program of a server that tests start. */
export interface ServerProgram {
  /** The name of the server in messages and in the name of its data folder. */
  readonly name: string;
  readonly command: string;
  /**
   * Returns arguments with which the program runs in the foreground, stores all its files in `folder` and listens on
   * `port` of 127.0.0.1.
   */
  arguments(folder: string, port: number): readonly string[];
  /** Creates the initial files of the server in the folder, before the first start. */
  prepare?(folder: string): Promise<void>;
}

/** A server that only the tests use. The server listens on a free port. `remove` deletes the folder with its data. */
export interface PrivateServer {
  readonly port: number;
  readonly folder: string;
  readonly isRunning: boolean;
  /** Ends the server with SIGKILL, which simulates a crash. `restart` uses the same data and port. */
  kill(): Promise<void>;
  /** Ends the server with SIGTERM, which is a clean shutdown. `restart` uses the same data and port. */
  stop(): Promise<void>;
  /** Stops the server if it runs, and starts it again. */
  restart(): Promise<void>;
  /** Kills the server and deletes its folder. */
  remove(): Promise<void>;
}

/** Starts the server. Resolves when the server accepts connections. */
export async function startPrivateServer(program: ServerProgram): Promise<PrivateServer> {
  const folder = mkdtempSync(join(tmpdir(), `test-${program.name}-`));
  const guard = guardOf(folder);
  try {
    await program.prepare?.(folder);
    const server = new RunningServer(program, folder, await freePort(), guard);
    await server.restart();
    return server;
  } catch (error) {
    guard.stdin?.end();
    throw error;
  }
}

class RunningServer implements PrivateServer {
  #process: ChildProcess | undefined;

  constructor(
    private readonly program: ServerProgram,
    readonly folder: string,
    readonly port: number,
    private readonly guard: ChildProcess,
  ) {}

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async restart(): Promise<void> {
    await this.stop();
    const { command, name } = this.program;
    const server = spawn(command, this.program.arguments(this.folder, this.port), {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#process = server;
    this.guard.stdin?.write(`${server.pid}\n`);
    let said = '';
    server.stderr?.on('data', (data) => {
      said = `${said}${data}`.slice(-4000);
    });
    server.unref();
    await eventually(async () => {
      if (server.exitCode !== null) throw new Error(`${name} did not start: ${said}`);
      return accepts(this.port);
    });
  }

  async remove(): Promise<void> {
    await this.kill();
    this.guard.stdin?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process;
    if (server === undefined) return;
    this.#process = undefined;
    if (server.exitCode !== null || server.signalCode !== null) return;
    // Without this call, Node could exit before the server has ended, because the server was unreferenced at its start.
    server.ref();
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
    this.guard.stdin?.write('\n');
  }
}

/**
 * Starts a shell that removes the folder even if this process is killed. The shell reads process ids of servers from
 * its input. When the input closes, the shell kills the process of the last id, if there is one, and removes the
 * folder.
 */
export function guardOf(folder: string): ChildProcess {
  const script = 'while read -r pid; do last=$pid; done; [ -n "$last" ] && kill -9 "$last"; rm -rf "$1"';
  const guard = spawn('sh', ['-c', `${script} 2>/dev/null`, 'guard', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
