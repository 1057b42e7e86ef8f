import { EventEmitter } from 'node:events';
import { write, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Settings } from '../settings/settings.js';
import { maskText } from './mask-secrets.js';

export type { Logger } from 'pino';

/** The output of a log for lines that contain no secrets, so that they skip the slow masking. */
export interface MaskedOutput {
  /** The members at the start of every line, after its level and time. */
  readonly base: object;
  /**
   * Writes the line that the function returns, JSON with a line break, or an empty text. The function is called later, when the line is
   * written.
   */
  readonly write: (line: () => string) => void;
  /** Returns the number of lines that were dropped since the start. */
  readonly lostLines: () => number;
}

const maskedOutputs = new WeakMap<Logger, MaskedOutput>();

/** Returns the output of a log that `createLog` created, and undefined for other logs. */
export function maskedOutputOf(logger: Logger): MaskedOutput | undefined {
  return maskedOutputs.get(logger);
}

export interface LogOptions {
  /** The file descriptor of the output. Default: 1, standard output. */
  readonly fd?: number;
  /** Whether lines are formatted for people instead of as JSON. Default: on a terminal. */
  readonly isReadable?: boolean;
  /** Whether other processes write to the same output. */
  readonly isShared?: boolean;
}

/**
 * Creates the log of the service: JSON lines, or readable lines on a terminal. By default it writes to standard output.
 * Secrets are masked.
 */
export function createLog(
  { logLevel }: Pick<Settings, 'logLevel'>,
  { fd = 1, isReadable = process.stdout.isTTY === true, isShared = false }: LogOptions = {},
): Logger {
  const base = { pid: process.pid, hostname: hostname() };
  const options = { level: logLevel, base, timestamp: stdTimeFunctions.isoTime };
  const output = new LogOutput(fd, isShared);
  // The stream of pino-pretty is not used, because it would buffer all lines that cannot be written, without a limit.
  const written = isReadable ? createFormatter() : (line: string) => line;
  const logger = pino(options, { write: (line) => output.takeLine(written(maskText(line))) });
  const readable = (text: string) => (text === '' ? '' : written(text));
  const write = isReadable
    ? (line: () => string) => output.takeLine(() => readable(line()))
    : (line: () => string) => output.takeLine(line);
  maskedOutputs.set(logger, { base, write, lostLines: () => output.lostLines });
  output.on('regained', (lines: number) => logger.warn({ lines }, 'lines of the log were lost'));
  return logger;
}

/** Loads the package only for a terminal, because loading it would delay the start of every other service. */
function createFormatter(): (line: string) => string {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return prettyFactory({ ignore: 'pid,hostname' });
}

/** A line with its line break, or a function that returns the line. The function may return an empty text. */
type Line = string | (() => string);

/**
 * Writes lines of the log to a file descriptor. If the reader of the output has ended or stalls, or if the disk is full, lines are dropped,
 * so that the service never fails or waits. At most a megabyte is buffered. When writing works again, the event `regained` reports the
 * number of dropped lines.
 *
 * A system call costs more than creating a line. So a line is written at the end of the current iteration of the event loop only if the
 * last write was some time ago; otherwise lines are collected until that time has passed. Collected lines are also written when the process
 * exits. A write that the system has not finished at that moment can be lost. So lines are never passed to the system in the iteration that
 * creates them, and the last lines of a process are always written. Functions are called when their lines are written, in the order of all
 * lines: creating many lines in one loop costs half as much as creating each of them between other work, because the processor caches stay
 * warm.
 *
 * If other processes write to the same output (`isShared`), each write contains only whole lines, and is short enough that the system never
 * mixes it with the writes of another process.
 */
export class LogOutput extends EventEmitter<{ regained: [lines: number] }> {
  readonly #fd: number;
  readonly #isShared: boolean;
  #lost = 0;
  #allLost = 0;
  #stalledMs = 0;
  #lines: Line[] = [];
  /** The collected lines as bytes. The system allocates memory only for the part that is used. */
  #collecting = Buffer.allocUnsafeSlow(MAX_WAITING_BYTES);
  #collectedBytes = 0;
  /** The second buffer, which replaces `#collecting` while that buffer is written. */
  #spare = Buffer.allocUnsafeSlow(MAX_WAITING_BYTES);
  /**
   * `#left`: the bytes of the current write that were not passed to the system yet. `#passedBytes`: the number of bytes that the system is
   * writing.
   */
  #left = NOTHING;
  #passedBytes = 0;
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;
  #endOfIteration: NodeJS.Immediate | undefined;

  constructor(fd: number, isShared = false) {
    super();
    this.#fd = fd;
    this.#isShared = isShared;
  }

  /** The number of lines that were dropped since the start. */
  get lostLines(): number {
    return this.#allLost;
  }

  /** The number of bytes that are not written yet. */
  get waitingBytes(): number {
    return this.#collectedBytes + this.#passedBytes + this.#left.length;
  }

  /** Writes a line, or drops it if the buffer is full. */
  takeLine(line: Line): void {
    if (this.#lines.push(line) === 1) collecting.add(this);
    if (this.#lines.length >= COLLECT_LINES) this.#encode();
    if (this.#timer === undefined || this.#lines.length === 0)
      this.#endOfIteration ??= setImmediate(() => this.#writeCollected());
  }

  /** Before the process exits, writes all remaining lines synchronously, because asynchronous writes are no longer possible. */
  writeLast(): void {
    this.#encode();
    let left = Buffer.concat([this.#left, this.#collecting.subarray(0, this.#collectedBytes)]);
    const until = performance.now() + LAST_LINES_MS;
    while (left.length > 0) {
      try {
        left = left.subarray(writeSync(this.#fd, this.#isShared ? firstLines(left) : left));
      } catch (error) {
        // The reader has ended or stalls, or the disk is full.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > until) return;
        Atomics.wait(NEVER_CHANGED, 0, 0, LAST_RETRY_MS);
      }
    }
  }

  #encode(): void {
    const taken = this.#lines;
    this.#lines = [];
    const lines = taken.map((line) => (typeof line === 'string' ? line : line()));
    // Encoding each line separately would cost twice as much.
    let text = '';
    for (const line of lines) text += line;
    if (this.#fits(text)) this.#collect(text);
    else {
      for (const line of lines) {
        if (this.#fits(line)) this.#collect(line);
        else this.#lose(1);
      }
    }
  }

  #fits(text: string): boolean {
    const room = MAX_WAITING_BYTES - this.waitingBytes;
    // The exact byte length is slow, so an upper bound is compared first.
    return text.length * MAX_CHARACTER_BYTES <= room || Buffer.byteLength(text) <= room;
  }

  #collect(text: string): void {
    this.#collectedBytes += this.#collecting.write(text, this.#collectedBytes);
  }

  #writeCollected(): void {
    this.#endOfIteration = undefined;
    this.#encode();
    if (this.#isWriting || this.#collectedBytes === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writeCollected();
    }, COLLECT_MS);
    this.#isWriting = true;
    this.#left = this.#collecting.subarray(0, this.#collectedBytes);
    [this.#collecting, this.#spare] = [this.#spare, this.#collecting];
    this.#collectedBytes = 0;
    void this.#writeLeft().then((isWritten) => {
      this.#isWriting = false;
      if (isWritten) this.#reportLost();
      if (this.#timer === undefined) this.#writeCollected();
      if (!this.#isWriting && this.#lines.length + this.#collectedBytes === 0) collecting.delete(this);
    });
  }

  /** Writes the bytes in `#left`, and counts the lines that cannot be written. Returns whether all lines were written. */
  async #writeLeft(): Promise<boolean> {
    while (this.#left.length > 0) {
      const passed = this.#isShared ? firstLines(this.#left) : this.#left;
      const lines = this.#left;
      this.#passedBytes = passed.length;
      this.#left = lines.subarray(passed.length);
      const written = await writeTo(this.#fd, passed).catch((error: NodeJS.ErrnoException) => error);
      this.#passedBytes = 0;
      if (!(written instanceof Error)) {
        this.#left = lines.subarray(written.bytesWritten);
        this.#stalledMs = 0;
      } else if (written.code === 'EAGAIN') {
        this.#left = lines;
        // At the end of the process, a slow reader still gets the last lines, but a stalled reader must not keep the process alive.
        await pause(RETRY_MS, undefined, { ref: this.#stalledMs < LAST_LINES_MS });
        this.#stalledMs += RETRY_MS;
      } else {
        this.#left = NOTHING;
        this.#lose(linesIn(lines));
        return false;
      }
    }
    return true;
  }

  #lose(lines: number): void {
    this.#lost += lines;
    this.#allLost += lines;
  }

  #reportLost(): void {
    if (this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    this.emit('regained', lost);
  }
}

const MAX_WAITING_BYTES = 1024 * 1024;
const COLLECT_LINES = 256;
const COLLECT_MS = 20;
/** UTF-8 needs at most three bytes for each UTF-16 code unit. */
const MAX_CHARACTER_BYTES = 3;
const NOTHING = Buffer.alloc(0);

/** The outputs with lines that are not written yet. */
const collecting = new Set<LogOutput>();
process.on('exit', () => {
  for (const output of collecting) output.writeLast();
});

const RETRY_MS = 50;
const LAST_RETRY_MS = 5;
const LAST_LINES_MS = 1_000;
const NEVER_CHANGED = new Int32Array(new SharedArrayBuffer(4));
const LINE_BREAK = 0x0a;

const writeTo = promisify(write);

/** Returns the first whole lines that one write to a pipe never mixes with others; at least one line. */
function firstLines(lines: Buffer): Buffer {
  if (lines.length <= PIPE_BUF) return lines;
  const end = lines.lastIndexOf(LINE_BREAK, PIPE_BUF - 1);
  return lines.subarray(0, (end < 0 ? lines.indexOf(LINE_BREAK) : end) + 1);
}

/** The largest write to a pipe that Linux does not split (POSIX guarantees 512 bytes). */
const PIPE_BUF = 4_096;

function linesIn(text: Buffer): number {
  return text.reduce((count, byte) => (byte === LINE_BREAK ? count + 1 : count), 0);
}
