import type { DuckDBConnection } from '@duckdb/node-api';
import type { RowCounts } from './protocol.js';

/** Returns the number of rows of each table, in the order of their names. */
export async function countRows(connection: DuckDBConnection): Promise<RowCounts> {
  const tables = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables()
     WHERE database_name = current_database() AND NOT temporary AND NOT internal ORDER BY table_name`,
  );
  const counts: [string, number][] = [];
  for (const [table] of tables.getRowsJS()) {
    const reader = await connection.runAndReadAll(`SELECT COUNT(*) FROM "${table}"`);
    counts.push([String(table), Number(reader.getRowsJS()[0]?.[0])]);
  }
  return counts;
}
