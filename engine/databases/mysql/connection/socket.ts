import { connect, type Socket } from 'node:net';
import type { ConnectionOptions } from 'mysql2';

/**
 * Opens the socket of a connection. `destroy` of this socket closes the connection at once, but mysql2 would wait for
 * the server. Keep-alive detects a server that does not respond any more; without keep-alive, the operating system
 * would need hours.
 */
export function openSocket({ host = '', port = 0 }: ConnectionOptions): Socket {
  return connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
}

const KEEP_ALIVE_MS = 30_000;
