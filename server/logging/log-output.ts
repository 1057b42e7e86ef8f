import { write, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Writes lines of the log to a file descriptor. If the reader has ended or stalls, or if the disk is full, lines are
 * dropped, but the service never fails or waits. At most a megabyte is buffered. When writing works again, the event
 * `regained` reports the number of dropped lines.
 *
 * A write to the system costs more than the rest of a line. So a line is written at once only if the last write was some time ago; other
 * lines are collected for that time. Collected lines are also written when the process exits.
 *
 * If other processes write to the same output (`isShared`), each write contains only as many whole lines as the system never mixes
 * with the writes of another process.
 */
export class LogOutput extends Writable {
  readonly #fd: number;
  readonly #isShared: boolean;
  #lost = 0;
  #allLost = 0;
  #stalledMs = 0;
  /** Lines that are not yet passed to the stream. */
  #collected = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number, isShared = false) {
    super();
    this.#fd = fd;
    this.#isShared = isShared;
  }

  /** The number of lines that were dropped since the start. */
  get lostLines(): number {
    return this.#allLost;
  }

  /** The length of the lines that are not written yet. */
  get waitingBytes(): number {
    return this.writableLength + this.#collected.length;
  }

  /** Writes a line, or drops it if the buffer is full. */
  takeLine(line: string): void {
    if (this.waitingBytes > MAX_WAITING_BYTES) {
      this.#lose(1);
      return;
    }
    if (this.#collected === '') collecting.add(this);
    this.#collected += line;
    if (this.#timer === undefined || this.#collected.length >= COLLECT_CHARACTERS) this.#writeCollected();
  }

  /** Writes the collected lines before the process exits, when only synchronous writes are possible. */
  writeLast(): void {
    try {
      writeSync(this.#fd, this.#collected);
    } catch {
      // The reader has ended or stalls, or the disk is full.
    }
  }

  #writeCollected(): void {
    clearTimeout(this.#timer);
    collecting.delete(this);
    const lines = this.#collected;
    this.#collected = '';
    this.#timer = lines === '' ? undefined : setTimeout(() => this.#writeCollected(), COLLECT_MS);
    if (lines !== '') this.write(lines);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    void this.#put(Buffer.concat(chunks.map(({ chunk }) => chunk))).then((isWritten) => {
      // This makes space in the buffer, which the line about lost lines needs.
      done();
      if (isWritten) this.#reportLost();
    });
  }

  /** Writes lines and counts those that cannot be written. Returns whether all lines were written. */
  async #put(lines: Buffer): Promise<boolean> {
    let left = lines;
    while (left.length > 0) {
      try {
        const { bytesWritten } = await writeTo(this.#fd, this.#isShared ? firstLines(left) : left);
        left = left.subarray(bytesWritten);
        this.#stalledMs = 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          this.#lose(linesIn(left));
          return false;
        }
        // When the process ends, a slow reader still gets the last lines, but a stalled reader does not keep the
        // process alive.
        await pause(RETRY_MS, undefined, { ref: this.#stalledMs < LAST_LINES_MS });
        this.#stalledMs += RETRY_MS;
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
const COLLECT_CHARACTERS = 64 * 1024;
const COLLECT_MS = 20;

/** The outputs with collected lines. */
const collecting = new Set<LogOutput>();
process.on('exit', () => {
  for (const output of collecting) output.writeLast();
});

const RETRY_MS = 50;
const LAST_LINES_MS = 1_000;
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
