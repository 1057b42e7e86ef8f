import type { Settings } from '../settings/settings.js';

/**
 * The longest time from a signal to the end of a process: it is not ready, it answers the requests that it has, it closes the
 * connections of clients, and then those of its databases. A process manager must wait longer than this before it kills the process.
 */
export function stopLimit({ drainDelay, shutdownTimeout }: Pick<Settings, 'drainDelay' | 'shutdownTimeout'>): number {
  return drainDelay + 2 * shutdownTimeout + MARGIN_MS;
}

/** A process has this time to close its database connections, in addition to the limits of its requests. */
const MARGIN_MS = 15_000;
