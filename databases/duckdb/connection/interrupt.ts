import type { DuckDBConnection } from '@duckdb/node-api';
import type { QueryOptions } from '../../../engine/index.js';
import { Deadline } from '../../../engine/index.js';

/**
 * Runs `work` on a connection that nobody else uses meanwhile, and stops it in the database when the time is over or
 * the signal aborts. The interrupt is sent only while `work` has not settled: the connection's next query starts
 * afterwards, and DuckDB forgets an interrupt when a query starts, so it cannot be hit.
 */
export async function interruptible<T>(
  connection: DuckDBConnection,
  options: Pick<QueryOptions, 'timeoutMs' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(options);
  if (deadline.reason !== undefined) throw deadline.reason;
  let again: NodeJS.Timeout | undefined;
  deadline.onStop(() => {
    connection.interrupt();
    // A query that still waits for a thread forgets the interrupt when it starts, so one is not enough.
    again = setInterval(() => connection.interrupt(), REPEAT_MS);
  });
  try {
    const result = await work();
    if (deadline.reason !== undefined) throw deadline.reason;
    return result;
  } catch (error) {
    throw deadline.reason ?? error;
  } finally {
    clearInterval(again);
    deadline.end();
  }
}

const REPEAT_MS = 10;
