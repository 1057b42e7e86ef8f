import type { DuckDBConnection } from '@duckdb/node-api';
import { Deadline, type QueryOptions } from '../../../engine/index.js';
import { interruptAtDeadline } from '../../interrupt.js';

/**
 * Runs `work` on a connection that runs nothing else meanwhile. Interrupts it in the database when the time limit is over or the
 * signal aborts, and then throws the reason. It never interrupts the next query of the connection: it sends interrupts only
 * until `work` settles, and DuckDB forgets an interrupt when a query starts.
 */
export async function runInterruptible<T>(
  connection: DuckDBConnection,
  options: Pick<QueryOptions, 'timeoutMs' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(options);
  try {
    if (deadline.reason !== undefined) throw deadline.reason;
    const result = await interruptAtDeadline(work(), deadline, () => connection.interrupt());
    if (deadline.reason !== undefined) throw deadline.reason;
    return result;
  } catch (error) {
    throw deadline.reason ?? error;
  } finally {
    deadline.end();
  }
}
