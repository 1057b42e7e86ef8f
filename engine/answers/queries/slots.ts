import type { Deadline } from '../../databases/interface/deadline.js';
import type { EngineError } from '../../databases/interface/errors.js';
import { FairQueue } from './fair-queue.js';

export interface SlotLimits {
  /** The maximum number of tasks that run at the same time. */
  readonly count: number;
  /** The maximum number of tasks that wait. */
  readonly maxWaiting: number;
  /** The maximum number of tasks of one named caller that run at the same time. Default: `count`. */
  readonly maxPerCaller?: number;
  /** Returns the error for a task that is rejected because the queue is full. */
  readonly onFull: () => EngineError;
}

interface Waiting {
  readonly start: () => void;
  readonly reject: (reason: EngineError) => void;
}

/**
 * Limits the number of concurrent tasks. Waiting callers are served in rotation, and the waiting tasks of one caller
 * start in the order of its calls. A free slot is given directly to a waiting task, so that no later call can take it.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting: FairQueue<Waiting>;
  /** The number of running tasks of each caller. */
  readonly #running = new Map<string, number>();
  #free: number;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#waiting = new FairQueue(limits.maxWaiting);
    this.#free = limits.count;
  }

  /** The number of tasks that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Waits for a slot until the deadline at most, and runs the task. Tasks without a caller share one queue and have no `maxPerCaller`. */
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
