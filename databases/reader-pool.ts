import type { EngineError } from '../engine/index.js';
import { cancelledError } from '../engine/interface/errors.js';
import { overloaded, unavailable } from './failures.js';

/** Something that answers one query at a time. */
export interface PooledReader {
  /** Stops the query that runs, if one does. */
  interrupt(): void;
  close(): void;
}

export interface WaitingLimits {
  /** Requests that may wait for a free reader; one more is refused at once. */
  readonly maxWaiting: number;
  /** Milliseconds a request may wait. */
  readonly maxWaitMs: number;
}

interface Waiter<Reader> {
  readonly give: (reader: Reader) => void;
  readonly refuse: (error: EngineError) => void;
}

/** A fixed number of readers, handed out in the order of asking. */
export class ReaderPool<Reader extends PooledReader> {
  readonly #readers: readonly Reader[];
  readonly #free: Reader[];
  readonly #waiting = new Set<Waiter<Reader>>();
  readonly #limits: WaitingLimits;
  #whenIdle: (() => void)[] = [];
  #closed = false;

  constructor(readers: readonly Reader[], limits: WaitingLimits) {
    this.#readers = readers;
    this.#free = [...readers];
    this.#limits = limits;
  }

  async use<T>(work: (reader: Reader) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const reader = await this.take(signal);
    try {
      return await work(reader);
    } finally {
      this.giveBack(reader);
    }
  }

  /** A free reader, to be given back; waits at most `maxWaitMs`, or as the pool allows. */
  async take(signal?: AbortSignal, maxWaitMs = this.#limits.maxWaitMs): Promise<Reader> {
    if (this.#closed) throw unavailable('The database is closed.');
    return this.#free.pop() ?? (await this.#wait(signal, Math.round(Math.min(maxWaitMs, this.#limits.maxWaitMs))));
  }

  giveBack(reader: Reader): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free.push(reader);
    else next.give(reader);
    if (this.#free.length === this.#readers.length) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Refuses whoever waits or comes, waits `graceMs` for running queries, interrupts the rest and closes all. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiting) waiter.refuse(unavailable('The database is being closed.'));
    await untilOr(this.#idle(), graceMs, () => this.#interruptAll());
    for (const reader of this.#readers) reader.close();
  }

  #wait(signal: AbortSignal | undefined, maxWaitMs: number): Promise<Reader> {
    const { maxWaiting } = this.#limits;
    if (this.#waiting.size >= maxWaiting) {
      throw overloaded(`The database is busy: ${maxWaiting} queries are waiting already.`);
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
      const onAbort = () => refuse(cancelledError());
      const timer = setTimeout(
        () => refuse(overloaded(`The database is busy: no connection was free for ${maxWaitMs} ms.`)),
        maxWaitMs,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #idle(): Promise<void> {
    if (this.#free.length === this.#readers.length) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #interruptAll(): void {
    for (const reader of this.#readers) if (!this.#free.includes(reader)) reader.interrupt();
  }
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
