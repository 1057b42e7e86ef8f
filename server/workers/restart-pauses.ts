/** The pauses before a worker is started again. They grow while workers end soon after their start. */
export class RestartPauses {
  #failures = 0;

  /** Returns the next pause in milliseconds, after a worker ended that had listened for this time. */
  next(servedMs: number): number {
    if (servedMs >= STEADY_MS) this.#failures = 0;
    const pauseMs = this.#failures === 0 ? 0 : Math.min(MAX_MS, FIRST_MS * 2 ** (this.#failures - 1));
    this.#failures += 1;
    return pauseMs;
  }
}

/** A worker that served for this time has not ended because of its start. */
const STEADY_MS = 60_000;
const FIRST_MS = 1_000;
const MAX_MS = 30_000;
