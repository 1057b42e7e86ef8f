import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';

/**
 * Discards the rest of a result. An unfinished result keeps its snapshot of the database until the next query, and
 * until then DuckDB cannot truncate the write-ahead log.
 */
export async function abandonResult(connection: DuckDBConnection, result: DuckDBResult): Promise<void> {
  connection.interrupt();
  try {
    while ((await result.fetchChunk())?.rowCount) connection.interrupt();
  } catch {
    // The interrupted query is expected to fail.
  }
}
