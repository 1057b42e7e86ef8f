import type { DuckDBConnection } from '@duckdb/node-api';
import type { QueryOptions } from '../../engine/database.js';
import type { EngineError } from '../../engine/errors.js';
import { cancelled, timedOut } from '../failures.js';

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
  const { timeoutMs, signal } = options;
  let reason: EngineError | undefined;
  let again: NodeJS.Timeout | undefined;
  const stop = (error: EngineError) => {
    if (reason !== undefined) return;
    reason = error;
    connection.interrupt();
    // A query that still waits for a thread forgets the interrupt when it starts, so one is not enough.
    again = setInterval(() => connection.interrupt(), REPEAT_MS);
  };
  const onAbort = () => stop(cancelled());
  if (signal?.aborted) throw cancelled();
  const timer = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await work();
    if (reason !== undefined) throw reason;
    return result;
  } catch (error) {
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
    clearInterval(again);
    signal?.removeEventListener('abort', onAbort);
  }
}

const REPEAT_MS = 10;
