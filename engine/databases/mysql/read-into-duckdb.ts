import type { DuckDBConnection } from '@duckdb/node-api';
import { appendRow } from '../duckdb/connection/append-row.js';
import type { WriteConnection } from './write-connection.js';

/** Copies the rows that a SELECT on the server returns into a DuckDB table. The columns of both must be in the same order. */
export async function copyRowsToDuckdb(
  from: WriteConnection,
  select: string,
  to: DuckDBConnection,
  table: string,
): Promise<void> {
  const appender = await to.createAppender(table);
  try {
    await from.forEachRow(select, (cells) => appendRow(appender, cells));
  } finally {
    appender.closeSync();
  }
}
