import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';

// Runs the service, and restarts it after each change of a source file: the compiler writes to dist/, and this script watches dist/. (`node
// --watch-path` is not used, because it starts a process per path.) The service itself watches the definitions. Vite writes the console to
// dist/web. Ctrl-C stops the service, the compiler and Vite.

const NOT_SERVED = ['bench', 'scripts', 'test'];
/** The pause after a change, because the compiler and editors write several files at about the same time. */
const SETTLE_MS = 100;

const compiler = start('node_modules/typescript/bin/tsc', '--watch', '--preserveWatchOutput');
const consoleBuild = start('node_modules/vite/bin/vite.js', 'build', '--watch', '--config', 'web/vite.config.ts');
let service = startService();
let timer: NodeJS.Timeout | undefined;
const stopping = new AbortController();

const compiled = readdirSync('dist', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_SERVED.includes(entry.name))
  .map(({ name }) => `dist/${name}`);
for (const path of [...compiled, 'schemas']) {
  watch(path, { recursive: true, signal: stopping.signal }, () => {
    clearTimeout(timer);
    timer = setTimeout(restart, SETTLE_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
compiler.once('exit', stop);

function startService(): ChildProcess {
  return start('dist/cli/repo-insight.cjs', 'serve', '--watch');
}

/**
 * Starts a process in its own process group. So Ctrl-C in the terminal reaches only this script, which then stops the
 * processes that it started.
 */
function start(...words: string[]): ChildProcess {
  return spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
}

/** Restarts the service. If the service cannot start, it stays stopped until the next change. */
async function restart(): Promise<void> {
  const old = service;
  if (isRunning(old)) {
    const ended = once(old, 'exit');
    old.kill('SIGTERM');
    await ended;
  }
  // In the meantime, a later change may have started the service, or this script may be stopping.
  if (service === old && !stopping.signal.aborted) service = startService();
}

function stop(): void {
  clearTimeout(timer);
  stopping.abort();
  if (isRunning(service)) service.kill('SIGTERM');
  if (isRunning(consoleBuild)) consoleBuild.kill('SIGTERM');
  // The command tsc runs the compiler in a second process of its process group, so the whole group is stopped.
  if (isRunning(compiler) && compiler.pid !== undefined) process.kill(-compiler.pid, 'SIGTERM');
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
