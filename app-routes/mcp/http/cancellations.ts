/** A client of a protocol with sessions. */
export interface SessionClient {
  /** The id of the session. */
  readonly session: string;
  /** The user of the message; undefined without a valid credential. */
  readonly userId: number | undefined;
}

/**
 * The running requests of clients that cancel with a separate message (protocols before 2026-07-28). The session of a
 * client is an id without any state: it only distinguishes the ids of requests of different clients. It is bound to its user, so
 * that a user who knows the session of another user cannot cancel its requests.
 */
export class Cancellations {
  readonly #running = new Map<string, AbortController>();

  /** Notes a running request. The signal aborts if the client cancels it; `end` must be called at its end. */
  begin(client: SessionClient, id: unknown): { readonly signal: AbortSignal; end(): void } {
    const key = keyOf(client, id);
    const controller = new AbortController();
    this.#running.set(key, controller);
    const end = () => {
      if (this.#running.get(key) === controller) this.#running.delete(key);
    };
    return { signal: controller.signal, end };
  }

  /** Stops a request. Nothing happens if it is not running. */
  cancel(client: SessionClient, id: unknown): void {
    this.#running.get(keyOf(client, id))?.abort();
  }
}

/** The id 1 differs from the id "1". */
function keyOf({ session, userId }: SessionClient, id: unknown): string {
  return JSON.stringify([session, userId, id]);
}
