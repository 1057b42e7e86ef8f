import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api';
import type { StreamOptions } from '../../interface/database.js';
import { TextColumn } from '../driver/text-column.js';
import { abandonResult } from './abandon-result.js';
import type { CellReader } from './cells.js';
import { columnsOf, openChunk } from './result-rows.js';

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
      const readRows = openChunk(chunk, readers);
      const batch = batchRows(chunk, readers);
      for (let first = 0; first < count; first += batch) {
        const taken = receive.rows(readRows(first, Math.min(first + batch, count)));
        if (taken !== undefined) await deadline.bound(taken);
      }
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

/** Returns the rows of a batch: those of a whole chunk, but fewer if their texts are long. */
function batchRows(chunk: DuckDBDataChunk, readers: readonly CellReader[]): number {
  const bytes = readers.reduce(
    (sum, { isText }, column) => sum + (isText ? new TextColumn(chunk, column).bytes : 0),
    0,
  );
  return Math.max(1, Math.floor((chunk.rowCount * BATCH_BYTES) / Math.max(bytes, BATCH_BYTES)));
}

const BATCH_BYTES = 1024 * 1024;
