import { text } from 'node:stream/consumers';
import { runCommandLine } from './run-command-line.js';
import { createTerminalAsk } from './terminal/ask.js';
import { toLogLines } from './terminal/log-lines.js';
import { lowerPriority } from './terminal/lower-priority.js';
import { ownTerminal } from './terminal/terminal.js';

/** Runs one command line of this process and sets the exit code. */
export async function main(words: readonly string[]): Promise<void> {
  const isService = words[0] === 'serve';
  endWithReader(isService);
  process.exitCode = await runCommandLine({
    words,
    environment: process.env,
    cwd: process.cwd(),
    terminal: isService && process.stdout.isTTY !== true && !isHelp(words) ? toLogLines(ownTerminal()) : ownTerminal(),
    input: () => text(process.stdin),
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true && { ask: createTerminalAsk() }),
    signal: stopSignal(isService ? stopSignalsOfService() : STOP_SIGNALS),
    lowerPriority,
    onHangUp: (listener) => void process.on('SIGHUP', listener),
  });
  // A stopped service does not wait until another process has read the rest of its output.
  if (isService) setTimeout(() => process.exit(), LAST_OUTPUT_MS).unref();
}

const LAST_OUTPUT_MS = 2_000;

function isHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

/**
 * Ends the process if the program that reads its output, such as `head`, has ended. A service continues without a
 * reader.
 */
function endWithReader(isService: boolean): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isService) return;
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
}

/** The system sends SIGHUP when the terminal is closed. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A service without a terminal reloads its definitions at SIGHUP, as other services do. */
function stopSignalsOfService(): readonly NodeJS.Signals[] {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  return hasTerminal ? STOP_SIGNALS : STOP_SIGNALS.filter((signal) => signal !== 'SIGHUP');
}

/** Returns a signal that aborts on the first of these signals; the second one ends the process. */
function stopSignal(signals: readonly NodeJS.Signals[]): AbortSignal {
  const stop = new AbortController();
  for (const signal of signals) {
    process.once(signal, () => {
      stop.abort(new Error(`stopped by ${signal}`));
      process.once(signal, () => process.exit(130));
    });
  }
  return stop.signal;
}
