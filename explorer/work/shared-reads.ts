/**
 * Reads values that many callers want at the same time. Calls for an id share one read that begins after all of them,
 * so no caller gets a value that is older than its call. At most one read of an id runs at the same time.
 */
export class SharedReads<Value> {
  readonly #read: (id: string) => Promise<Value>;
  readonly #running = new Map<string, Promise<Value>>();
  /** Reads that begin when the running read of their id has ended. */
  readonly #next = new Map<string, Promise<Value>>();

  constructor(read: (id: string) => Promise<Value>) {
    this.#read = read;
  }

  read(id: string): Promise<Value> {
    const known = this.#next.get(id);
    if (known !== undefined) return known;
    const running = this.#running.get(id) ?? Promise.resolve();
    const begin = () => this.#begin(id);
    const next = running.then(begin, begin);
    this.#next.set(id, next);
    return next;
  }

  #begin(id: string): Promise<Value> {
    this.#next.delete(id);
    const running = this.#read(id).finally(() => {
      if (this.#running.get(id) === running) this.#running.delete(id);
    });
    this.#running.set(id, running);
    return running;
  }
}
