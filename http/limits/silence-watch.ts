/**
 * Measures how long a peer whose answer is awaited says nothing. Only time in which this process could read an answer counts: a
 * blocked event loop is one step of the measurement, however long it lasts. Where the steps come late, this process or the whole
 * machine is busy, and the peer gets up to four times as many of them.
 */
export class SilenceWatch {
  readonly #stepMs: number;
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout | undefined;
  #silentSteps = 0;

  /** Calls `onSilence` after `timeoutMs` of silence and ends the measurement. */
  constructor(timeoutMs: number, onSilence: () => void) {
    this.#stepMs = timeoutMs / STEPS;
    this.#onSilence = onSilence;
  }

  /** Begins to measure, unless a measurement runs. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#silentSteps = 0;
    this.#wait();
  }

  /** The peer said something: the silence begins again. */
  hear(): void {
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
      // Sockets are read between the timers of a turn of the event loop and its immediates.
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

/** Turns of the event loop in which nothing is read before a peer counts as silent. */
const STEPS = 5;
/** What a step counts that comes late by its own length or more. */
const LATE_STEP = 0.25;
