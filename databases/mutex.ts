import { unavailable } from './failures.js';

/** Lets work have its turn, one after the other, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(unavailable('The database is closed.'));
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Refuses work from now on; resolves after that which runs or waits. */
  close(): Promise<unknown> {
    this.#closed = true;
    return this.#last;
  }
}
