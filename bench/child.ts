import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs `children/<name>` to its end and parses the line of JSON that it prints. */
export async function runChild<Result>(name: string, args: readonly string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, [pathOf(name), ...args], { maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as Result;
}

export interface ServerChild {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface OrderedChild extends ServerChild {
  /** Sends an order to the child process, and resolves to its answer. */
  order(order: string): Promise<unknown>;
}

/** Starts the server `children/<name>`, which must print its URL as its first line. */
export async function startServer(name: string, args: readonly string[]): Promise<OrderedChild> {
  const child = spawn(process.execPath, [pathOf(name), ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const lines = createInterface({ input: child.stdout as Readable });
  const [url] = (await Promise.race([once(lines, 'line'), failure(child, name)])) as [string];
  return {
    url,
    pid: child.pid ?? Number.NaN,
    order: async (order) => {
      const answered = once(child, 'message');
      child.send(order);
      return (await answered)[0];
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function failure(child: ChildProcess, name: string): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`${name} ended with code ${code} before it listened`);
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`children/${name}.js`, import.meta.url));
}
