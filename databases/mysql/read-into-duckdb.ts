import type { DuckDBConnection } from '@duckdb/node-api';
import { appendRow } from '../duckdb/connection/append-row.js';
import type { WriteConnection } from './write-connection.js';

/** Adds the rows of a SELECT of the server to a table of DuckDB whose columns stand in the same order. */
export async function bringRows(
  from: WriteConnection,
  select: string,
  to: DuckDBConnection,
  table: string,
): Promise<void> {
  const appender = await to.createAppender(table);
  try {
    await from.eachRow(select, (cells) => appendRow(appender, cells));
  } finally {
    appender.closeSync();
  }
}
