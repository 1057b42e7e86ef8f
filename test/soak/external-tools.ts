import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Context } from 'mocha';
import { record } from './report.js';

/** Skips a test if its commands are not installed, and reports this. With `REQUIRE_SERVICES=1`, fails instead. */
export function skipWithout(commands: readonly string[], test: Context, subject: string): void {
  const missing = commands.filter((command) => spawnSync(command, ['--version']).error !== undefined);
  if (missing.length === 0) return;
  record(subject, `not tested, because ${missing.join(', ')} is not in the PATH`);
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`${subject}: needs ${missing.join(', ')} in the PATH.`);
  test.skip();
}

/** Runs a program to its end, and returns its standard output. If the command fails, throws an error with its output. */
export async function run(cwd: string, command: string, ...given: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, given, { cwd, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { message, stdout = '' } = error as Error & { readonly stdout?: string };
    throw new Error(`${message}\n${stdout.slice(0, 3_000)}`);
  }
}

/** Installs a Go command into a folder, and returns its path. */
export async function installGoCommand(folder: string, source: string): Promise<string> {
  await run(folder, 'env', `GOBIN=${folder}`, 'go', 'install', source);
  return `${folder}/${source.replace(/@.*/, '').split('/').at(-1)}`;
}
