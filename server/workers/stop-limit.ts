import type { Settings } from '../settings/settings.js';

/**
 * The longest time from a signal to the end of a process: It waits for load balancers, answers the requests in progress, and closes the
 * connections of clients and databases. A process manager must wait longer than this before it kills the process.
 */
export function stopLimit({ drainDelay, shutdownTimeout }: Pick<Settings, 'drainDelay' | 'shutdownTimeout'>): number {
  return drainDelay + 2 * shutdownTimeout + MARGIN_MS;
}

/** The additional time that a process has to close its database connections. */
const MARGIN_MS = 15_000;
