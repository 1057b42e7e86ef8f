import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

export interface StopLimits {
  /** How long idle connections are kept. Must be longer than a request takes to arrive. */
  readonly drainMs: number;
  /** When the remaining connections are closed, also those with a request in progress. */
  readonly timeoutMs: number;
}

/**
 * Stops accepting connections. Resolves when all connections are closed. A client can have sent its next request when the
 * server stops, so idle connections are kept for a while. Answers must have `Connection: close` from now on.
 */
export function stopServer(server: Server, { drainMs, timeoutMs }: StopLimits): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = () => server.closeIdleConnections();
    let repeat: NodeJS.Timeout | undefined;
    const drain = setTimeout(
      () => {
        closeIdle();
        // An answer that began before the stop leaves its connection open.
        repeat = setInterval(closeIdle, CHECK_MS);
      },
      Math.min(drainMs, timeoutMs),
    );
    const limit = setTimeout(() => server.closeAllConnections(), timeoutMs);
    // The method of the class for HTTP closes idle connections at once, which resets requests that are on their way.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(drain);
      clearInterval(repeat);
      clearTimeout(limit);
      // Ends the checks of the time limits for requests, which the class for TCP does not have.
      server.close();
      resolve();
    });
  });
}

const CHECK_MS = 100;
