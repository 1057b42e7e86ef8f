import type { DuckDBAppender } from '@duckdb/node-api';

/** Appends a row. DuckDB casts each value to the type of its column. */
export function appendRow(appender: DuckDBAppender, row: readonly (string | number | bigint | null)[]): void {
  for (const value of row) {
    if (value === null) appender.appendNull();
    else appender.appendVarchar(String(value));
  }
  appender.endRow();
}
