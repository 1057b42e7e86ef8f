/**
 * The running requests of clients that cancel with a separate message (protocols before 2026-07-28). The session of a
 * client is an id without any state: it only distinguishes the ids of requests of different clients.
 */
export class Cancellations {
  readonly #running = new Map<string, AbortController>();

  /** Notes a running request. The signal aborts if the client cancels it; `end` must be called at its end. */
  begin(session: string, id: unknown): { readonly signal: AbortSignal; end(): void } {
    const key = keyOf(session, id);
    const controller = new AbortController();
    this.#running.set(key, controller);
    const end = () => {
      if (this.#running.get(key) === controller) this.#running.delete(key);
    };
    return { signal: controller.signal, end };
  }

  /** Stops a request. Nothing happens if it is not running. */
  cancel(session: string, id: unknown): void {
    this.#running.get(keyOf(session, id))?.abort();
  }
}

/** The id 1 differs from the id "1". */
function keyOf(session: string, id: unknown): string {
  return JSON.stringify([session, id]);
}
