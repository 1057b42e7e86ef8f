/** The clock and timers of a `SilenceWatch`. Tests pass an object that they control. */
export interface SilenceTime {
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Runs a function after this time. The returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs a function after all data that have already arrived were read. */
  afterReading(run: () => void): void;
}

const SYSTEM_TIME: SilenceTime = {
  now: performance.now.bind(performance),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  // `setImmediate` is right, because an iteration of the event loop runs timers first, then reads sockets, then runs immediates.
  afterReading: setImmediate,
};

/**
 * Measures how long a peer sends nothing while an answer is pending. It measures in steps, and counts only time in which this process could
 * read an answer: a blocked event loop counts as one step, even if it is blocked for long. If steps run late, this process or the machine
 * is busy, so late steps count less, and the peer gets up to four times as many steps.
 */
export class SilenceWatch {
  readonly #stepMs: number;
  readonly #onSilence: () => void;
  readonly #time: SilenceTime;
  #cancel: (() => void) | undefined;
  #silentSteps = 0;

  /** Calls `onSilence` and ends the measurement after `timeoutMs` without data. */
  constructor(timeoutMs: number, onSilence: () => void, time: SilenceTime = SYSTEM_TIME) {
    this.#time = time;
    this.#stepMs = timeoutMs / STEPS;
    this.#onSilence = onSilence;
  }

  /** Starts a measurement, unless one is running. */
  start(): void {
    if (this.#cancel !== undefined) return;
    this.#silentSteps = 0;
    this.#wait();
  }

  /** Restarts the measurement. Must be called when data arrive. */
  reset(): void {
    this.#silentSteps = 0;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(): void {
    const dueAt = this.#time.now() + this.#stepMs;
    const cancel = this.#time.after(this.#stepMs, () => {
      const lateMs = this.#time.now() - dueAt;
      this.#time.afterReading(() => {
        if (this.#cancel === cancel) this.#step(lateMs < this.#stepMs ? 1 : LATE_STEP);
      });
    });
    this.#cancel = cancel;
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
