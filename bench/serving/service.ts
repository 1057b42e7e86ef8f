import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../test/services/eventually.js';
import type { ServerChild } from '../child.js';

export interface Service extends ServerChild {
  /** The file to which the output of the command, including the access log, is written. */
  readonly log: string;
}

/**
 * Starts the service with its command, as an operator does. Settings that are not given have their defaults, except the rate limits. The
 * rate limits are so high that no request is rejected, but the service still counts each request. The access log is written to
 * `service.log` in `folder`. If `folder` contains `api.yaml`, the service serves this API.
 */
export async function startService(
  folder: string,
  settings: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<Service> {
  const log = join(folder, `service-${serviceNumber++}.log`);
  const environment = { DATA_DIR: folder, PORT: '0', ...LIMITS, ...settings };
  const child = runCommand(['serve', ...options], environment, log, folder);
  let url: string | undefined;
  await eventually(async () => {
    const text = readFileSync(log, 'utf8');
    if (child.exitCode !== null) throw new Error(`the service ended: ${text.slice(-2000)}`);
    url = /listening at ([^\s"]+)/.exec(text)?.[1];
    return url !== undefined;
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url: url ?? '', pid: child.pid ?? Number.NaN, stop, log };
}

/** Runs a command of the program to its end. Throws an error with its output if it fails. */
export async function runToEnd(
  folder: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const log = join(folder, `command-${serviceNumber++}.log`);
  const [code] = (await once(runCommand(words, settings, log), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${readFileSync(log, 'utf8').slice(-2000)}`);
}

const LIMITS = { RATE_LIMIT_PER_HOUR: '1000000000', RATE_LIMIT_PER_MINUTE: '1000000000' };
const PROGRAM = fileURLToPath(new URL('../../cli/repo-insight.cjs', import.meta.url));

let serviceNumber = 1;

function runCommand(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  log: string,
  cwd?: string,
): ChildProcess {
  const fd = openSync(log, 'a');
  const env = { PATH: process.env.PATH ?? '', ...settings };
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, cwd, stdio: ['ignore', fd, fd] });
  closeSync(fd);
  // Without this handler, an interrupted benchmark would leave a running service that uses CPU time during the next benchmark.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}
