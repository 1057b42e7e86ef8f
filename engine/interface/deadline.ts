import type { QueryOptions } from './database.js';
import { cancelled, type EngineError, timedOut } from './errors.js';

/** When a query must stop: at its time limit or when its caller goes away, whichever comes first. */
export class Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Why the query must stop; undefined as long as it may go on. */
  reason: EngineError | undefined;
  readonly #at: number;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<(reason: EngineError) => void>();
  readonly #onAbort = () => this.#stop(cancelled());

  constructor({ timeoutMs, signal }: Pick<QueryOptions, 'timeoutMs' | 'signal'>) {
    this.timeoutMs = timeoutMs;
    this.signal = signal;
    this.#at = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#stop(timedOut(timeoutMs)), timeoutMs);
    if (signal?.aborted) this.#stop(cancelled());
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Calls the listener when the query must stop. Gives a function that takes it back. */
  onStop(listener: (reason: EngineError) => void): () => void {
    if (this.reason !== undefined) listener(this.reason);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What `work` gives, or the reason to stop as soon as there is one. */
  bound<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onStop(reject);
      work.then(resolve, reject);
    });
  }

  /** Forgets timer and listeners: the query has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.signal?.removeEventListener('abort', this.#onAbort);
    this.#listeners.clear();
  }

  #stop(reason: EngineError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    clearTimeout(this.#timer);
    for (const listener of this.#listeners) listener(reason);
  }
}
