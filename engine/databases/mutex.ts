import { unavailableError } from './failures.js';

/** Runs asynchronous functions one at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(unavailableError('The database is closed.'));
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Rejects new calls from now on. Resolves when the running and the waiting functions have ended. */
  close(): Promise<unknown> {
    this.#isClosed = true;
    return this.#last;
  }
}
