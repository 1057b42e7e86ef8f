import type { Deadline } from '../../databases/interface/deadline.js';
import type { EngineError } from '../../databases/interface/errors.js';
import { FairQueue } from './fair-queue.js';

export interface SlotLimits {
  /** The amount of work that runs at the same time. */
  readonly count: number;
  /** The amount of work that waits. */
  readonly maxWaiting: number;
  /** The amount of work of one named caller that runs at the same time. Default: `count`. */
  readonly maxPerCaller?: number;
  /** Returns the error for work that has no place in the queue. */
  readonly onFull: () => EngineError;
}

interface Waiting {
  readonly start: () => void;
  readonly reject: (reason: EngineError) => void;
}

/**
 * A limit of concurrent work. Callers who wait alternate, and the work of one caller starts in the order of its calls: a slot that
 * becomes free is given to work that waits, so that no later call can take it.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting: FairQueue<Waiting>;
  /** The running work of each caller. */
  readonly #running = new Map<string, number>();
  #free: number;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#waiting = new FairQueue(limits.maxWaiting);
    this.#free = limits.count;
  }

  /** The amount of work that waits. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Waits for a slot, but not longer than the deadline, and runs the work. Without a caller, all work has the same one, without its own limit. */
  async run<T>(deadline: Deadline, work: () => Promise<T>, caller = ''): Promise<T> {
    if (this.#free > 0 && this.#isAllowed(caller)) this.#take(caller);
    else await this.#wait(deadline, caller);
    try {
      return await work();
    } finally {
      this.#release(caller);
    }
  }

  readonly #isAllowed = (caller: string): boolean => {
    const { count, maxPerCaller = count } = this.#limits;
    return caller === '' || (this.#running.get(caller) ?? 0) < maxPerCaller;
  };

  #take(caller: string): void {
    this.#free -= 1;
    this.#running.set(caller, (this.#running.get(caller) ?? 0) + 1);
  }

  #release(caller: string): void {
    this.#free += 1;
    const others = (this.#running.get(caller) ?? 1) - 1;
    if (others > 0) this.#running.set(caller, others);
    else this.#running.delete(caller);
    const next = this.#waiting.take(this.#isAllowed);
    if (next === undefined) return;
    this.#take(next.caller);
    next.entry.start();
  }

  #wait(deadline: Deadline, caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      let remove = () => false;
      const waiting: Waiting = {
        start: () => {
          remove();
          resolve();
        },
        reject: (reason) => {
          remove();
          this.#waiting.delete(caller, waiting);
          reject(reason);
        },
      };
      const excess = this.#waiting.add(caller, waiting);
      if (excess !== waiting) remove = deadline.onStop(waiting.reject);
      excess?.reject(this.#limits.onFull());
    });
  }
}
