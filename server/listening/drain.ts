import { setTimeout as pause } from 'node:timers/promises';

/** `stop`: the whole service stops. `replaced`: other processes continue to serve at the same address. */
export type StopReason = 'stop' | 'replaced';

/** Whether load balancers may send requests to this process. */
export class Drain {
  #isReady = true;
  readonly #pause: (ms: number) => Promise<unknown>;

  constructor(wait: (ms: number) => Promise<unknown> = pause) {
    this.#pause = wait;
  }

  /** Becomes false when a stop begins, before the service stops accepting connections. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Reports that the service is not ready, and gives load balancers this time to notice it. */
  async begin(delayMs: number): Promise<void> {
    this.#isReady = false;
    if (delayMs > 0) await this.#pause(delayMs);
  }
}
