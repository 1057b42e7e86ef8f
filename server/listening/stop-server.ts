import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { noteStop } from '../../engine/http/requests/interruption.js';

export interface StopLimits {
  /** The open connections of the server (`trackConnections`). */
  readonly connections: ReadonlySet<Socket>;
  /** How long idle connections are kept. Must be longer than a request takes to arrive. */
  readonly drainMs: number;
  /** When the remaining connections are closed, also those with a request in progress. */
  readonly timeoutMs: number;
}

/** Rerounds a set that always contains the open connections of a server. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/**
 * Resolves when no connection waits to be accepted: the system resets those that do when the server stops. Requests must wait meanwhile, so
 * that no client gets an answer and connects again. A worker gets its connections from the primary process, which needs some time
 * (`handoverMs`); 0 without one.
 */
export async function acceptWaiting(server: Server, handoverMs: number): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  const next = handoverMs > 0 ? () => pause(handoverMs) : nextRound;
  const most = handoverMs > 0 ? MAX_HANDOVERS : MAX_ROUNDS;
  // The connections that wait now are accepted between the first and the second moment.
  await nextRound();
  for (let [before, rounds] = [-1, 0]; before < accepted && rounds < most; rounds += 1) {
    before = accepted;
    await next();
  }
  server.off('connection', count);
}

/** More rounds with new connections are a flood. */
const MAX_ROUNDS = 1_000;
const MAX_HANDOVERS = 10;

/**
 * Stops accepting connections. Resolves when all connections are closed. A client can have sent its next request when the
 * server stops, so idle connections are kept for a while. Answers must have `Connection: close` from now on.
 */
export function stopServer(server: Server, { connections, drainMs, timeoutMs }: StopLimits): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = () => {
      server.closeIdleConnections();
      // Node does not call connections idle on which no request was sent.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    };
    let repeat: NodeJS.Timeout | undefined;
    const drain = setTimeout(
      () => {
        closeIdle();
        // An answer that began before the stop leaves its connection open.
        repeat = setInterval(closeIdle, CHECK_MS);
      },
      Math.min(drainMs, timeoutMs),
    );
    const limit = setTimeout(() => {
      for (const socket of connections) noteStop(socket);
      server.closeAllConnections();
    }, timeoutMs);
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
