import { overloadedError, unavailableError } from './failures.js';
import type { PoolUse } from './interface/database.js';
import { Deadline } from './interface/deadline.js';
import type { EngineError } from './interface/errors.js';

/** A reader of a pool, which runs one query at a time. */
export interface PooledReader {
  /** Stops the running query, if there is one. */
  interrupt(): void;
  close(): void;
}

export interface WaitingLimits {
  /** The maximum number of requests that wait for a free reader. Further requests are rejected immediately. */
  readonly maxWaiting: number;
  /** The maximum time in milliseconds that a request waits. */
  readonly maxWaitMs: number;
}

interface Waiter<Reader> {
  readonly resolve: (reader: Reader) => void;
  readonly reject: (error: EngineError) => void;
}

/** A fixed number of readers. Requests that wait for a reader are served in their order. */
export class ReaderPool<Reader extends PooledReader> {
  readonly #readers: readonly Reader[];
  readonly #free: Reader[];
  readonly #waiting = new Set<Waiter<Reader>>();
  readonly #limits: WaitingLimits;
  #whenIdle: (() => void)[] = [];
  #isClosed = false;

  constructor(readers: readonly Reader[], limits: WaitingLimits) {
    this.#readers = readers;
    this.#free = [...readers];
    this.#limits = limits;
  }

  get pool(): PoolUse {
    const { length: size } = this.#readers;
    return { size, busy: size - this.#free.length, waiting: this.#waiting.size };
  }

  async use<T>(work: (reader: Reader) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const reader = await this.acquire(signal);
    try {
      return await work(reader);
    } finally {
      this.release(reader);
    }
  }

  /**
   * Resolves to a free reader, which the caller must release. Waits at most `maxWaitMs`, and never longer than the
   * `maxWaitMs` of the pool. Rejects with `overloaded`, `query_cancelled` or `database_unavailable`.
   */
  async acquire(signal?: AbortSignal, maxWaitMs = this.#limits.maxWaitMs): Promise<Reader> {
    if (this.#isClosed) throw unavailableError('The database is closed.');
    return this.#free.pop() ?? (await this.#wait(signal, Math.round(Math.min(maxWaitMs, this.#limits.maxWaitMs))));
  }

  release(reader: Reader): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free.push(reader);
    else next.resolve(reader);
    if (this.#free.length === this.#readers.length) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Closes the idle readers. Closed readers stay in the pool, so they must be able to open again. */
  closeFree(): void {
    for (const reader of this.#free) reader.close();
  }

  /** Rejects waiting and new requests, waits `graceMs` for running queries, interrupts those that still run, and closes all readers. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiting) waiter.reject(unavailableError('The database is being closed.'));
    const grace = new Deadline({ timeoutMs: graceMs });
    try {
      await interruptAtDeadline(this.#idle(), grace, () => this.#interruptAll());
    } finally {
      grace.end();
    }
    for (const reader of this.#readers) reader.close();
  }

  #wait(signal: AbortSignal | undefined, maxWaitMs: number): Promise<Reader> {
    const { maxWaiting } = this.#limits;
    if (this.#waiting.size >= maxWaiting) {
      throw overloadedError(`The database is busy: ${maxWaiting} queries are already waiting. Try again later.`);
    }
    return new Promise((resolve, reject) => {
      const deadline = new Deadline({ timeoutMs: maxWaitMs, signal });
      const stopWaiting = () => {
        this.#waiting.delete(waiter);
        deadline.end();
      };
      const waiter: Waiter<Reader> = {
        resolve: (reader) => {
          stopWaiting();
          resolve(reader);
        },
        reject: (error) => {
          stopWaiting();
          reject(error);
        },
      };
      this.#waiting.add(waiter);
      deadline.onStop((reason) => waiter.reject(reason.code === 'query_timeout' ? noFreeReader(maxWaitMs) : reason));
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

/**
 * Waits for `work`. After the deadline, calls `interrupt` every 10 ms until `work` settles. One call is not enough: if
 * a query still waits for a thread, the interrupt is lost when the query starts.
 */
export async function interruptAtDeadline<T>(work: Promise<T>, deadline: Deadline, interrupt: () => void): Promise<T> {
  let repeat: NodeJS.Timeout | undefined;
  const removeListener = deadline.onStop(() => {
    interrupt();
    repeat = setInterval(interrupt, INTERRUPT_EVERY_MS);
  });
  try {
    return await work;
  } finally {
    removeListener();
    clearInterval(repeat);
  }
}

const INTERRUPT_EVERY_MS = 10;

function noFreeReader(waitedMs: number): EngineError {
  return overloadedError(`The database is busy: no connection was free for ${waitedMs} ms. Try again later.`);
}
