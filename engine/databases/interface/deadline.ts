import { cancelledError, EngineError, timeoutError } from './errors.js';

/** The time limit of a query. */
export interface TimeLimit {
  /** After this many milliseconds the database stops the query, which then fails with `query_timeout`. */
  readonly timeoutMs: number;
  /**
   * If this signal is aborted, the database stops the query. The query fails with the reason of the signal if this is an
   * `EngineError`, otherwise with `query_cancelled`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Either a separate time limit for the query, or the deadline that the query shares with the rest of its request. */
export type QueryLimits = TimeLimit | { readonly deadline: Deadline };

/** The time at which a request must stop: its time limit, or earlier if its caller disconnects or `stop` is called. */
export class Deadline {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The reason why the request must stop; undefined while it may continue. */
  reason: EngineError | undefined;
  readonly #at: number;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Set<(reason: EngineError) => void>();
  readonly #onAbort = () => this.stop(abortReason(this.signal));

  constructor({ timeoutMs, signal }: TimeLimit) {
    this.timeoutMs = timeoutMs;
    this.signal = signal;
    this.#at = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.stop(timeoutError(timeoutMs)), timeoutMs);
    if (signal?.aborted) this.stop(abortReason(signal));
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Calls the listener when the request must stop. The returned function removes the listener. */
  onStop(listener: (reason: EngineError) => void): () => boolean {
    if (this.reason !== undefined) listener(this.reason);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles like `work`, but rejects with the reason as soon as the request must stop. */
  bound<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const remove = this.onStop(reject);
      work.then(resolve, reject).finally(remove);
    });
  }

  /** Stops the request before its time limit. */
  stop(reason: EngineError): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    clearTimeout(this.#timer);
    for (const listener of this.#listeners) listener(reason);
  }

  /** Removes the timer and all listeners. Must be called when the request has ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.signal?.removeEventListener('abort', this.#onAbort);
    this.#listeners.clear();
  }
}

function abortReason(signal: AbortSignal | undefined): EngineError {
  return signal?.reason instanceof EngineError ? signal.reason : cancelledError();
}

/** Runs `work` under the deadline of the request, or under a new deadline if the limits are only a time limit. */
export async function withDeadline<T>(limits: QueryLimits, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  if ('deadline' in limits) return work(limits.deadline);
  const deadline = new Deadline(limits);
  try {
    return await work(deadline);
  } finally {
    deadline.end();
  }
}

/** A signal that aborts with one of several signals or after a time limit. Call `end` when the signal is no longer needed. */
interface LimitedSignal {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Combines signals and a time limit. It replaces `AbortSignal.any` and `AbortSignal.timeout`: in Node 20, a signal of
 * `AbortSignal.any` can lose its sources to the garbage collector, and then never aborts.
 */
export function limitSignal(sources: readonly AbortSignal[], timeoutMs?: number): LimitedSignal {
  const controller = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(timeoutReason()), timeoutMs);
  const removals = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  const end = () => {
    clearTimeout(timer);
    for (const remove of removals) remove();
  };
  return { signal: controller.signal, end };
}

function timeoutReason(): DOMException {
  return new DOMException('The time limit was reached.', 'TimeoutError');
}
