/** Counts the rows that a stream passes to its receiver, and measures how long the receiver takes. Batches can overlap. */
export class PassedRows {
  rows = 0;
  #running = 0;
  #since = 0;
  #ms = 0;

  /** The milliseconds that the receiver has used so far, including those for a batch in progress. */
  get receiverMs(): number {
    return this.#running > 0 ? this.#ms + performance.now() - this.#since : this.#ms;
  }

  /** The milliseconds for which the database has waited for the receiver; 0 while it does not wait. */
  get waitingMs(): number {
    return this.#running > 0 ? performance.now() - this.#since : 0;
  }

  /** Passes a batch to the receiver, and measures the time until the receiver has processed it. */
  measure(rows: number, pass: () => Promise<void> | undefined): Promise<void> | undefined {
    this.rows += rows;
    this.#begin();
    let taken: Promise<void> | undefined;
    try {
      taken = pass();
    } finally {
      if (taken === undefined) this.#end();
    }
    return taken?.finally(() => this.#end());
  }

  #begin(): void {
    if (this.#running === 0) this.#since = performance.now();
    this.#running += 1;
  }

  #end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#ms += performance.now() - this.#since;
  }
}
