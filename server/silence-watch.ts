/**
 * Measures how long a peer whose answer is awaited says nothing. Only time in which this process could read an answer counts: a
 * blocked event loop is one step of the measurement, however long it lasts.
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
    const timer = setTimeout(() => {
      // Sockets are read between the timers of a turn of the event loop and its immediates.
      setImmediate(() => {
        if (this.#timer === timer) this.#step();
      });
    }, this.#stepMs);
    this.#timer = timer;
  }

  #step(): void {
    this.#silentSteps += 1;
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
