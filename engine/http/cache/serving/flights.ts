import type { Deadline } from '../../../databases/interface/deadline.js';
import { cancelledError } from '../../../databases/interface/errors.js';

/** A computation that several requests wait for. */
export interface Flight<T> {
  /** Whether this request started the computation. */
  readonly isOwn: boolean;
  /** The number of computations that started before this one. */
  readonly number: number;
  /** Waits for the result, but not longer than the deadline. */
  wait(deadline: Deadline): Promise<T>;
}

interface Running<T> {
  readonly number: number;
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Computations by key. Concurrent requests with equal keys share one computation. When no request waits any longer, the
 * computation is aborted, unless it runs in the background.
 */
export class Flights<T> {
  readonly #running = new Map<string, Running<T>>();
  #started = 0;

  /** The number of computations that have started. */
  get started(): number {
    return this.#started;
  }

  /** Whether a computation with this key is running. */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** Joins the computation with this key, or starts it. */
  join(key: string, compute: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const known = this.#running.get(key);
    const running = known ?? this.#start(key, compute);
    return {
      isOwn: known === undefined,
      number: running.number,
      wait: (deadline) => this.#wait(key, running, deadline),
    };
  }

  /** Starts a computation in the background if none with this key is running. Resolves when it ended; never rejects. */
  async runInBackground(key: string, compute: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.#running.has(key)) return;
    const running = this.#start(key, compute);
    running.waiting += 1;
    await running.result.catch(() => undefined);
  }

  /** Aborts all computations. */
  abort(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }

  #start(key: string, compute: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const result = compute(controller.signal);
    const running: Running<T> = { number: this.#started, result, controller, waiting: 0 };
    this.#started += 1;
    this.#running.set(key, running);
    const remove = () => this.#remove(key, running);
    result.then(remove, remove);
    return running;
  }

  async #wait(key: string, running: Running<T>, deadline: Deadline): Promise<T> {
    running.waiting += 1;
    try {
      return await deadline.bound(running.result);
    } finally {
      running.waiting -= 1;
      // The computation is removed first, so that later requests do not join a computation that is being aborted.
      if (running.waiting === 0 && this.#remove(key, running)) running.controller.abort(cancelledError());
    }
  }

  /** Removes a computation. Returns false if it was already removed. */
  #remove(key: string, running: Running<T>): boolean {
    return this.#running.get(key) === running && this.#running.delete(key);
  }
}
