import { EngineError } from '../../engine/errors.js';
import { cancelled } from './interrupt.js';
import type { Reader } from './reader.js';

export interface WaitingLimits {
  /** Requests that may wait for a free reader; one more is refused at once. */
  readonly maxWaiting: number;
  /** Milliseconds a request may wait. */
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly give: (reader: Reader) => void;
  readonly refuse: (error: EngineError) => void;
}

/** A fixed number of readers, handed out in the order of asking. */
export class ReaderPool {
  readonly #readers: readonly Reader[];
  readonly #free: Reader[];
  readonly #waiting = new Set<Waiter>();
  readonly #limits: WaitingLimits;
  #whenIdle: (() => void)[] = [];
  #closed = false;

  constructor(readers: readonly Reader[], limits: WaitingLimits) {
    this.#readers = readers;
    this.#free = [...readers];
    this.#limits = limits;
  }

  async use<T>(work: (reader: Reader) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#closed) throw unavailable('The database is closed.');
    const reader = this.#free.pop() ?? (await this.#wait(signal));
    try {
      return await work(reader);
    } finally {
      this.#giveBack(reader);
    }
  }

  /** Refuses whoever waits or comes, waits `graceMs` for running queries, interrupts the rest and closes all. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiting) waiter.refuse(unavailable('The database is being closed.'));
    await untilOr(this.#idle(), graceMs, () => this.#interruptAll());
    for (const reader of this.#readers) reader.close();
  }

  #wait(signal: AbortSignal | undefined): Promise<Reader> {
    const { maxWaiting, maxWaitMs } = this.#limits;
    if (this.#waiting.size >= maxWaiting) {
      throw unavailable(`The database is busy: ${maxWaiting} queries are waiting already.`);
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(waiter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const give = (reader: Reader) => {
        settle();
        resolve(reader);
      };
      const refuse = (error: EngineError) => {
        settle();
        reject(error);
      };
      const waiter = { give, refuse };
      const onAbort = () => refuse(cancelled());
      const timer = setTimeout(
        () => refuse(unavailable(`The database is busy: no reader was free for ${maxWaitMs} ms.`)),
        maxWaitMs,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #giveBack(reader: Reader): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free.push(reader);
    else next.give(reader);
    if (this.#free.length === this.#readers.length) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #idle(): Promise<void> {
    if (this.#free.length === this.#readers.length) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #interruptAll(): void {
    for (const reader of this.#readers) if (!this.#free.includes(reader)) reader.interrupt();
  }
}

export function unavailable(message: string, cause?: unknown): EngineError {
  return new EngineError('database_unavailable', message, cause === undefined ? {} : { cause });
}

/** Waits for `done`; from `graceMs` on, calls `hurry` again and again until it is. */
export async function untilOr(done: Promise<unknown>, graceMs: number, hurry: () => void): Promise<void> {
  let repeat: NodeJS.Timeout | undefined;
  const grace = setTimeout(() => {
    hurry();
    repeat = setInterval(hurry, INTERRUPT_EVERY_MS);
  }, graceMs);
  try {
    await done;
  } finally {
    clearTimeout(grace);
    clearInterval(repeat);
  }
}

const INTERRUPT_EVERY_MS = 10;
