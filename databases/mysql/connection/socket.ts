import { connect, type Socket } from 'node:net';
import type { ConnectionOptions } from 'mysql2';

/**
 * Opens the socket of a connection. `destroy` on it closes the connection at once, while mysql2 waits for the server. Keep-alive
 * finds a server that has vanished; the operating system alone would take hours.
 */
export function openSocket({ host = '', port = 0 }: ConnectionOptions): Socket {
  return connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
}

const KEEP_ALIVE_MS = 30_000;
