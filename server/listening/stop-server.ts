import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { noteStop } from '../../engine/http/requests/read-request.js';

export interface StopLimits {
  /** The open connections of the server (`trackConnections`). */
  readonly connections: ReadonlySet<Socket>;
  /** How long idle connections are kept open. Must be longer than a request takes to arrive. */
  readonly drainMs: number;
  /** The remaining connections are closed after this time, even if a request is in progress. */
  readonly timeoutMs: number;
}

/** Returns a live set of the open connections of a server. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/**
 * Resolves when no connection is waiting to be accepted. When the server stops, the operating system resets connections that still wait.
 * The caller must hold back requests in the meantime, because a client that gets an answer can connect again. `next` resolves when the
 * connections that waited at its call have been accepted. By default, that is after a round of the event loop.
 */
export async function acceptWaiting(server: Server, next: () => Promise<void> = nextRound): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // The connections that wait now are accepted between the first and the second round of the event loop.
  await nextRound();
  for (let [before, rounds] = [-1, 0]; before < accepted && rounds < MAX_ROUNDS; rounds += 1) {
    before = accepted;
    await next();
  }
  server.off('connection', count);
}

/** If new connections still arrive after this number of rounds, the server is flooded and stops waiting. */
const MAX_ROUNDS = 1_000;

/**
 * Stops accepting connections. Resolves when all connections are closed. A client may have just sent its next request, so idle connections
 * stay open for a short time. Answers must have `Connection: close` from now on.
 */
export function stopServer(server: Server, { connections, drainMs, timeoutMs }: StopLimits): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = () => {
      server.closeIdleConnections();
      // Node does not treat a connection as idle before its first request.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    };
    let repeat: NodeJS.Timeout | undefined;
    const drain = setTimeout(
      () => {
        closeIdle();
        // An answer whose headers were sent before the stop leaves its connection open.
        repeat = setInterval(closeIdle, CHECK_MS);
      },
      Math.min(drainMs, timeoutMs),
    );
    const limit = setTimeout(() => {
      for (const socket of connections) noteStop(socket);
      server.closeAllConnections();
    }, timeoutMs);
    // `close` of the HTTP server closes idle connections immediately, which resets requests that are on their way. `close` of the TCP
    // server does not.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(drain);
      clearInterval(repeat);
      clearTimeout(limit);
      // The HTTP method also stops the timer for the time limits of requests, which the TCP method does not know.
      server.close();
      resolve();
    });
  });
}

const CHECK_MS = 100;
