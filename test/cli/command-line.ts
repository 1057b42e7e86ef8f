import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type CommandLine, runCommandLine } from '../../cli/run-command-line.js';
import type { Ask } from '../../cli/terminal/command-context.js';
import type { Terminal } from '../../cli/terminal/terminal.js';
import { eventually } from '../services/eventually.js';

const PROGRAM = fileURLToPath(new URL('../../cli/repo-insight.cjs', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The text of the standard input. */
  readonly input?: string;
  /** The answers of a simulated user on a terminal, in the order of the questions. An empty answer confirms the proposal. */
  readonly answers?: readonly string[];
  /** The terminal of the user. By default, the output is a pipe. */
  readonly terminal?: Partial<TerminalKind>;
  readonly firstDemo?: CommandLine['firstDemo'];
  /** For a separate process: the program file of another version. */
  readonly program?: string;
}

export type TerminalKind = Pick<Terminal, 'columns' | 'colour'>;

const running = new Set<ChildProcess>();
const runningHere = new Set<AbortController>();

/** After a failed test, kills the processes and stops the command lines that the test did not end. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const stop of runningHere) stop.abort(new Error('stopped after the test'));
}

/** Starts the program in a separate process. The returned functions return its output so far. */
export function start(words: readonly string[], options?: RunOptions) {
  const started = startWithInput(words, options);
  started.child.stdin.end();
  return started;
}

/** Like `start`, but the test writes the standard input of the process and must close it. */
export function startWithInput(
  words: readonly string[],
  { environment = {}, cwd, program = PROGRAM }: RunOptions = {},
) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH, HOME, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  const ended = once(child, 'close').then(([code]): Outcome => {
    running.delete(child);
    return { code: code as number | null, out, err };
  });
  return { child, ended, out: () => out, err: () => err };
}

/** Runs the program to its end, in a separate process. */
export function runProcess(words: readonly string[], options?: RunOptions): Promise<Outcome> {
  return start(words, options).ended;
}

/** Runs a command line to its end in this process. This is one second faster than `runProcess`, which starts a process. */
export function run(words: readonly string[], options?: RunOptions): Promise<Outcome> {
  return startHere(words, options).ended;
}

/** Starts a command line in this process. `stop` ends it as Ctrl-C does. The other returned functions return the output so far. */
export function startHere(
  words: readonly string[],
  { environment = {}, cwd = process.cwd(), input, answers, terminal: kind, firstDemo }: RunOptions = {},
) {
  const terminal = createTerminal(kind);
  const stop = new AbortController();
  const line: CommandLine = {
    ...{ words, environment, cwd, terminal, signal: stop.signal, firstDemo },
    ...(input !== undefined && { input: async () => input }),
    ...(answers !== undefined && { ask: answersFrom(answers, terminal) }),
  };
  runningHere.add(stop);
  const code = runCommandLine(line).finally(() => runningHere.delete(stop));
  return {
    ended: code.then((value): Outcome => ({ code: value, ...terminal.texts() })),
    out: () => terminal.texts().out,
    err: () => terminal.texts().err,
    stop: () => stop.abort(new Error('stopped by the test')),
  };
}

/** Returns the function with which a command asks a simulated user. */
export function answersFrom(answers: readonly string[], terminal: Pick<Terminal, 'err'>): Ask {
  const remaining = [...answers];
  return async (question, proposal) => {
    const answer = remaining.shift();
    if (answer === undefined) throw new Error(`unexpected question: ${question}`);
    terminal.err(`${question} [${proposal}] ${answer}\n`);
    return answer === '' ? proposal : answer;
  };
}

/** A terminal that stores its output. */
export function createTerminal(kind: Partial<TerminalKind> = {}): Terminal & { texts(): Pick<Outcome, 'out' | 'err'> } {
  let [out, err] = ['', ''];
  return {
    isTerminal: false,
    columns: undefined,
    colour: { out: false, err: false },
    ...kind,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    texts: () => ({ out, err }),
  };
}

/** Starts a service in this process. Resolves when it listens. This needs a fifth of the CPU time of a new process. */
export async function serveHere(environment: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const started = startHere(['serve', ...words], { environment: { PORT: '0', LOG_LEVEL: 'silent', ...environment } });
  const url = await listening(started);
  const close = async () => {
    started.stop();
    return started.ended;
  };
  return { ...started, url, close };
}

/** Resolves to the URL of a started server when the server listens. Rejects if the server ends before that. */
export async function listening({ ended, out }: Pick<ReturnType<typeof startHere>, 'ended' | 'out'>): Promise<string> {
  let over: Outcome | undefined;
  void ended.then((outcome) => {
    over = outcome;
  });
  const urlOf = () => /listening at (http:[^\s"]+)/.exec(out())?.[1];
  await eventually(() => over !== undefined || urlOf() !== undefined);
  const url = urlOf();
  if (url === undefined) throw new Error(`ended with ${over?.code} before it listened: ${over?.err}`);
  return url;
}
