import type { DuckDBAppender } from '@duckdb/node-api';

/** Adds a row; texts and numbers become what the columns hold, as in a cast. */
export function appendRow(appender: DuckDBAppender, row: readonly (string | number | bigint | null)[]): void {
  for (const value of row) {
    if (value === null) appender.appendNull();
    else appender.appendVarchar(String(value));
  }
  appender.endRow();
}
