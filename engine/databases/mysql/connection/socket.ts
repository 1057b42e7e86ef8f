import { connect, type Socket } from 'node:net';
import type { ConnectionOptions } from 'mysql2';

/**
 * Opens the socket of a connection. The method `destroy` of the socket closes the connection immediately, while mysql2 would wait for the
 * server. Keep-alive detects within minutes that a server no longer responds; without it, this could take hours.
 */
export function openSocket({ host = '', port = 0 }: ConnectionOptions): Socket {
  return connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
}

const KEEP_ALIVE_MS = 30_000;
