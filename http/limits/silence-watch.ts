/**
 * Measures how long a peer sends nothing while an answer is pending. Only time in which this process could read an answer
 * counts: a blocked event loop counts as one step, independent of its length. If steps run late, this process or the machine is
 * busy, and the peer gets up to four times as many steps.
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

  /** Call it when data arrive: the silence begins again. */
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

/** Steps without data after which a peer counts as silent. */
const STEPS = 5;
/** The weight of a step that runs late by its own length or more. */
const LATE_STEP = 0.25;
