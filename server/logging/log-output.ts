import { write } from 'node:fs';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * A file descriptor for the lines of the log. A reader that is gone or stalls, or a disk that is full, costs lines and never the
 * service: it never fails, holds nobody up, keeps a megabyte at most, and emits `regained` with the number of lines that were
 * lost once lines go through again.
 */
export class LogOutput extends Writable {
  readonly #fd: number;
  #lost = 0;
  #stalledMs = 0;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  /** Takes a line, if there is room for it. */
  takeLine(line: string): void {
    if (this.writableLength > MAX_WAITING_BYTES) this.#lost += 1;
    else this.write(line);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    void this.#put(Buffer.concat(chunks.map(({ chunk }) => chunk))).finally(done);
  }

  /** What cannot be written is counted. */
  async #put(lines: Buffer): Promise<void> {
    let left = lines;
    while (left.length > 0) {
      try {
        const { bytesWritten } = await writeTo(this.#fd, left);
        left = left.subarray(bytesWritten);
        this.#stalledMs = 0;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          this.#lost += linesIn(left);
          return;
        }
        // A reader that is only slow gets the last lines of a process that ends; one that stalls does not keep it.
        await pause(RETRY_MS, undefined, { ref: this.#stalledMs < LAST_LINES_MS });
        this.#stalledMs += RETRY_MS;
      }
    }
    if (this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    this.emit('regained', lost);
  }
}

const MAX_WAITING_BYTES = 1024 * 1024;
const RETRY_MS = 50;
const LAST_LINES_MS = 1_000;
const LINE_BREAK = 0x0a;

const writeTo = promisify(write);

function linesIn(text: Buffer): number {
  return text.reduce((count, byte) => (byte === LINE_BREAK ? count + 1 : count), 0);
}
