import { expect } from 'chai';
import { listening, type RunOptions, start } from '../cli/command-line.js';
import { eventually } from '../services/eventually.js';

export const NO_LIMITS = {
  RATE_LIMIT_PER_HOUR: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  PLAYGROUND_PER_MINUTE: '0',
  CALLER_LIMIT_PER_MINUTE: '0',
};

/** One line of the log. */
export interface LogLine {
  readonly pid: number;
  readonly msg: string;
  readonly worker?: number;
  readonly req?: { readonly url: string };
  readonly [fact: string]: unknown;
}

/** A running service with workers. */
export interface WorkerService {
  readonly url: string;
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
  log(): LogLine[];
  out(): string;
  err(): string;
  /** Waits until the log contains this message `times` times. */
  logged(msg: string, times?: number): Promise<LogLine[]>;
  /** Sends requests until `count` different workers have answered, and returns their process ids. */
  answeringWorkers(count: number): Promise<Set<number>>;
  stop(): Promise<number | null>;
}

export async function startWorkers(count: number | string, options: RunOptions): Promise<WorkerService> {
  const server = start(['serve', '--workers', String(count)], options);
  const url = await listening(server);
  const lines: LogLine[] = [];
  let readLength = 0;
  const log = () => {
    const added = server.out().slice(readLength);
    const complete = added.slice(0, added.lastIndexOf('\n') + 1);
    readLength += complete.length;
    lines.push(...complete.split('\n').flatMap(readLine));
    return [...lines];
  };
  const logged = async (msg: string, times = 1) => {
    const find = () => log().filter((line) => line.msg === msg);
    await eventually(() => find().length >= times);
    return find();
  };
  let asked = 0;
  const answeringWorkers = async (expected: number) => {
    asked += 1;
    const path = `/livez?round=${asked}`;
    const answering = () => new Set(log().flatMap(({ pid, req }) => (req?.url === path ? [pid] : [])));
    await eventually(async () => {
      // Each request uses a new connection, because a connection stays with its worker.
      const { status } = await fetch(url + path, { headers: { Connection: 'close' } });
      expect(status).to.equal(400);
      return answering().size >= expected;
    });
    return answering();
  };
  const { child } = server;
  return {
    ...{ url, log, logged, answeringWorkers },
    pid: child.pid as number,
    out: server.out,
    err: server.err,
    signal: (name) => void child.kill(name),
    stop: async () => {
      child.kill('SIGTERM');
      return (await server.ended).code;
    },
  };
}

function readLine(line: string): LogLine[] {
  return line.startsWith('{"level"') && line.endsWith('}') ? [JSON.parse(line) as LogLine] : [];
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
