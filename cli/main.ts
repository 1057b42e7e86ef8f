import { ownTerminal } from './output.js';
import { runCommandLine } from './run-command-line.js';

/** Runs one command line of this process and sets its exit code. */
export async function main(words: readonly string[]): Promise<void> {
  const stop = new AbortController();
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A service answers requests, whoever reads what it prints.
      if (words[0] === 'serve') return;
      // Whoever read the output, such as `head`, has seen enough.
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
  // A terminal that is closed says so by SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      stop.abort(new Error(`stopped by ${signal}`));
      // The same one once more ends what does not want to stop.
      process.once(signal, () => process.exit(130));
    });
  }
  process.exitCode = await runCommandLine({
    words,
    environment: process.env,
    cwd: process.cwd(),
    terminal: ownTerminal(),
    signal: stop.signal,
  });
  // Nor does a service that has ended wait for a reader that has stopped reading.
  if (words[0] === 'serve') setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

const LAST_WORDS_MS = 2_000;
