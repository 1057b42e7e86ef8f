/**
 * Measures how long a peer sends nothing while an answer is pending. The measurement consists of steps, and counts only
 * time in which this process could read an answer. So a blocked event loop counts as one step, even if it is blocked
 * for long. If steps run late, this process or the machine is busy, and the peer gets up to four times as many steps.
 */
export class SilenceWatch {
  readonly #stepMs: number;
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout | undefined;
  #silentSteps = 0;

  /** After `timeoutMs` of silence, the measurement ends and `onSilence` is called. */
  constructor(timeoutMs: number, onSilence: () => void) {
    this.#stepMs = timeoutMs / STEPS;
    this.#onSilence = onSilence;
  }

  /** Starts a measurement, unless one is running. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#silentSteps = 0;
    this.#wait();
  }

  /** Restarts the measurement of silence. Must be called when data arrive. */
  reset(): void {
    this.#silentSteps = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    const dueAt = performance.now() + this.#stepMs;
    const timer = setTimeout(() => {
      const lateMs = performance.now() - dueAt;
      // An iteration of the event loop runs timers first, then reads sockets, then runs immediates.
      setImmediate(() => {
        if (this.#timer === timer) this.#step(lateMs < this.#stepMs ? 1 : LATE_STEP);
      });
    }, this.#stepMs);
    this.#timer = timer;
  }

  #step(weight: number): void {
    this.#silentSteps += weight;
    if (this.#silentSteps < STEPS) {
      this.#wait();
      return;
    }
    this.stop();
    this.#onSilence();
  }
}

/** The number of steps without data after which a peer counts as silent. */
const STEPS = 5;
/** The weight of a step that runs late by at least the length of a step. */
const LATE_STEP = 0.25;
