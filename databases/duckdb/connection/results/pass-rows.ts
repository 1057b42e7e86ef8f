import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import type { StreamOptions } from '../../../../engine/index.js';
import { abandonResult } from './abandon-result.js';
import { columnsOf, readChunk } from './result-rows.js';

/** Passes the rows of a result on while DuckDB computes them. Rows that the receiver has not taken stay in DuckDB. */
export async function passRows(
  connection: DuckDBConnection,
  result: DuckDBResult,
  { deadline, maxRows, receive }: StreamOptions,
): Promise<{ readonly more: boolean }> {
  const { columns, readers } = columnsOf(result);
  let remaining = maxRows;
  try {
    receive.columns(columns);
    for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk()) {
      if (chunk.rowCount === 0) break;
      const count = Math.min(chunk.rowCount, remaining);
      remaining -= count;
      const taken = count === 0 ? undefined : receive.rows(readChunk(chunk, readers, count));
      if (taken !== undefined) await deadline.bound(taken);
      if (count === chunk.rowCount) continue;
      await abandonResult(connection, result);
      return { more: true };
    }
  } catch (error) {
    await abandonResult(connection, result);
    throw error;
  }
  return { more: false };
}
