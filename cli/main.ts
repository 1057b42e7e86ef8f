import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { runCommandLine } from './run-command-line.js';
import { createTerminalAsk } from './terminal/ask.js';
import { ownTerminal, type Terminal } from './terminal/terminal.js';

/** Runs the command line of this process and sets the exit code. */
export async function main(words: readonly string[]): Promise<void> {
  const isService = words[0] === 'serve';
  const isWorker = isService && (await isWorkerProcess(words));
  if (isWorker) ignoreSignals();
  endWithReader(isService);
  process.exitCode = await runCommandLine({
    words,
    environment: process.env,
    cwd: process.cwd(),
    terminal: isService && process.stdout.isTTY !== true && !isHelp(words) ? toLogLines(ownTerminal()) : ownTerminal(),
    input: () => text(process.stdin),
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true && { ask: createTerminalAsk() }),
    signal: stopSignal(isWorker ? [] : isService ? stopSignalsOfService() : STOP_SIGNALS),
    lowerPriority: async () => (await import('../engine/databases/lower-priority.js')).lowerPriority(),
    process: {
      isWorker,
      onHangUp: (listener) => void process.on('SIGHUP', listener),
      onRestart: (listener) => void process.on('SIGUSR2', listener),
      onExit: (listener) => void process.once('exit', listener),
    },
  });
  // A stopped service must not wait until another process has read the rest of its output.
  if (isService) setTimeout(() => process.exit(), LAST_OUTPUT_MS).unref();
}

const LAST_OUTPUT_MS = 2_000;

function isHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

/** Ends the process if the program that reads its output, such as `head`, has ended. A service continues in this case. */
function endWithReader(isService: boolean): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isService) return;
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
}

/** SIGHUP is sent when the terminal is closed. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Whether this is a worker process of the service. The option is also checked, because a process manager can run a service without workers
 * as a worker of another cluster.
 */
async function isWorkerProcess(words: readonly string[]): Promise<boolean> {
  if (!words.some((word) => word.startsWith('--workers'))) return false;
  const { default: cluster } = await import('node:cluster');
  return cluster.isWorker;
}

/**
 * Makes a worker ignore signals: it gets its orders from the primary process. A terminal or process manager sends signals to all processes
 * of a service, but a worker must not stop before load balancers have noticed the stop.
 */
function ignoreSignals(): void {
  for (const signal of [...STOP_SIGNALS, 'SIGUSR2'] as const) process.on(signal, () => undefined);
}

/**
 * Returns the signals that stop a service. Without a terminal, SIGHUP is not one of them: it reloads the definitions, as in other services.
 */
function stopSignalsOfService(): readonly NodeJS.Signals[] {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  return hasTerminal ? STOP_SIGNALS : STOP_SIGNALS.filter((signal) => signal !== 'SIGHUP');
}

/** Returns an abort signal that aborts on the first of these signals. The second signal ends the process. */
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

/**
 * Returns a terminal that writes each line of standard output as a line of the JSON log, so that the output consists only of such lines.
 */
function toLogLines(terminal: Terminal): Terminal {
  const base = { pid: process.pid, hostname: hostname() };
  const log = (msg: string, members: object) => {
    const time = new Date().toISOString();
    terminal.out(`${JSON.stringify({ level: INFO, time, ...base, ...members, msg })}\n`);
  };
  return {
    ...terminal,
    log,
    out: (text) => {
      for (const line of text.split('\n')) if (line.trim() !== '') log(line.trim(), {});
    },
  };
}

/** The number of the log level `info`. */
const INFO = 30;
