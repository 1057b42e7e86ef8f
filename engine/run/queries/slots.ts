import type { Deadline } from '../../interface/deadline.js';
import type { EngineError } from '../../interface/errors.js';

/**
 * A limit of concurrent work. Work that waits is started in the order of its calls: a slot that becomes free is given to the
 * work that has waited longest, so that no later call can take it.
 */
export class Slots {
  #free: number;
  readonly #maxWaiting: number;
  #waiting: (() => void)[] = [];

  constructor(count: number, maxWaiting: number) {
    this.#free = count;
    this.#maxWaiting = maxWaiting;
  }

  /** The amount of work that waits. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether further work would be rejected. */
  get isFull(): boolean {
    return this.#free === 0 && this.#waiting.length >= this.#maxWaiting;
  }

  /** Waits for a slot, but not longer than the deadline, and runs the work. Must not be called while `isFull`. */
  async run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(deadline);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #wait(deadline: Deadline): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        remove();
        resolve();
      };
      const stop = (reason: EngineError) => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== start);
        reject(reason);
      };
      this.#waiting.push(start);
      const remove = deadline.onStop(stop);
    });
  }
}
