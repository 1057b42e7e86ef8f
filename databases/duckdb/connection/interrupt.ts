import type { DuckDBConnection } from '@duckdb/node-api';
import type { QueryLimits } from '../../../engine/index.js';
import { withDeadline } from '../../../engine/interface/deadline.js';

/**
 * Runs `work` on a connection that runs nothing else meanwhile, and interrupts it at its deadline. The interrupt is sent only
 * until `work` settles: DuckDB drops a pending interrupt when a query starts, so the next query of the connection is safe.
 */
export function interruptible<T>(
  connection: DuckDBConnection,
  limits: QueryLimits,
  work: () => Promise<T>,
): Promise<T> {
  return withDeadline(limits, async (deadline) => {
    if (deadline.reason !== undefined) throw deadline.reason;
    let repeat: NodeJS.Timeout | undefined;
    const removeListener = deadline.onStop(() => {
      connection.interrupt();
      // A query that still waits for a thread drops the interrupt when it starts, so one interrupt is not enough.
      repeat = setInterval(() => connection.interrupt(), REPEAT_MS);
    });
    try {
      const result = await work();
      if (deadline.reason !== undefined) throw deadline.reason;
      return result;
    } catch (error) {
      throw deadline.reason ?? error;
    } finally {
      removeListener();
      clearInterval(repeat);
    }
  });
}

const REPEAT_MS = 10;
