import { ModelError } from './model.js';
import type { ModelTimers } from './model-timers.js';

export interface SlotLimits {
  /** The maximum number of concurrent requests to the model. */
  readonly concurrency: number;
  /** The maximum number of requests that wait. Further requests are rejected at once. */
  readonly maxWaiting: number;
  /** The maximum time in milliseconds that a request waits. */
  readonly maxWaitMs: number;
}

/** Limits the concurrent requests to the model. Waiting requests continue in their order. */
export class ModelSlots {
  readonly #limits: SlotLimits;
  readonly #timers: Pick<ModelTimers, 'begin'>;
  readonly #waiting = new Set<() => void>();
  #used = 0;

  constructor(limits: SlotLimits, timers: Pick<ModelTimers, 'begin'>) {
    this.#limits = limits;
    this.#timers = timers;
  }

  /** Throws `ModelError` with `rate_limited` if the request waits too long, and the reason of the signal if it is aborted. */
  async use<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#used < this.#limits.concurrency) this.#used += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Passes the slot to the request that waits longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#used -= 1;
    else next();
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.#limits;
    if (this.#waiting.size >= maxWaiting) throw busy(`${maxWaiting} questions already wait for it`);
    return new Promise((resolve, reject) => {
      const deadline = this.#timers.begin({ timeoutMs: maxWaitMs, signal });
      const stopWaiting = () => {
        this.#waiting.delete(take);
        deadline.end();
      };
      const take = () => {
        stopWaiting();
        resolve();
      };
      this.#waiting.add(take);
      deadline.onStop(() => {
        stopWaiting();
        reject(signal.aborted ? signal.reason : busy(`it was not free for ${maxWaitMs / 1000} seconds`));
      });
    });
  }
}

function busy(detail: string): ModelError {
  return new ModelError('rate_limited', `The language model is busy: ${detail}.`);
}
