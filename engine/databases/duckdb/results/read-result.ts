import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBResult } from '@duckdb/node-api';
import type { ResultSet } from '../../interface/database.js';
import { EngineError } from '../../interface/errors.js';
import { abandonResult } from './abandon-result.js';
import { columnsOf, ResultRows } from './result-rows.js';

export interface ResultLimits {
  readonly maxRows: number;
  /** More bytes are an error. */
  readonly maxBytes: number;
}

/** Reads a result that DuckDB has in memory. */
export function readMaterialized(result: DuckDBMaterializedResult, { maxRows, maxBytes }: ResultLimits): ResultSet {
  const { columns, readers } = columnsOf(result);
  const collected = new ResultRows(readers, maxRows, maxBytes);
  for (let index = 0; index < result.chunkCount && collected.remainingRows > 0; index++)
    collected.add(result.getChunk(index));
  return { columns, rows: collected.rows, more: result.rowCount > maxRows };
}

/** Reads a result that DuckDB computes meanwhile. */
export async function readStreamed(
  connection: DuckDBConnection,
  result: DuckDBResult,
  { maxRows, maxBytes }: ResultLimits,
): Promise<ResultSet> {
  const { columns, readers } = columnsOf(result);
  const collected = new ResultRows(readers, maxRows, maxBytes);
  try {
    for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk()) {
      if (chunk.rowCount === 0) break;
      const hasMore = chunk.rowCount > collected.remainingRows;
      collected.add(chunk);
      if (!hasMore) continue;
      await abandonResult(connection, result);
      return { columns, rows: collected.rows, more: true };
    }
  } catch (error) {
    if (error instanceof EngineError) await abandonResult(connection, result);
    throw error;
  }
  return { columns, rows: collected.rows, more: false };
}
