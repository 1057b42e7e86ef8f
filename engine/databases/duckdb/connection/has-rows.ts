import type { DuckDBConnection } from '@duckdb/node-api';

/** Whether a table, or a SELECT in parentheses, has rows. */
export async function hasRows(connection: DuckDBConnection, table: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(`SELECT 1 FROM ${table} LIMIT 1`);
  return reader.currentRowCount > 0;
}
