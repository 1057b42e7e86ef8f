/** A value that is loaded when it is needed, and again when it is too old. Callers at the same time share one load. */
export class Refreshed<Value> {
  readonly #load: () => Promise<Value>;
  readonly #maxAgeMs: number;
  #loading: Promise<Value> | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(load: () => Promise<Value>, maxAgeMs: number) {
    this.#load = load;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Rejects with the error of the load; the next call loads again. */
  get(): Promise<Value> {
    if (this.#loading === undefined || performance.now() - this.#loadedAt > this.#maxAgeMs) {
      this.#loadedAt = performance.now();
      const loading = this.#load();
      this.#loading = loading;
      loading.catch(() => {
        if (this.#loading === loading) this.#loading = undefined;
      });
    }
    return this.#loading;
  }
}
