import type { DuckDBConnection } from '@duckdb/node-api';
import type { BoundValue, Cell } from '../../interface/database.js';
import { createCellReader, openChunk } from '../results/cells.js';
import { bind } from './binding.js';

/** Runs one statement with bound values for `$1`, `$2`, … and returns all its rows. */
export async function readRows(
  connection: DuckDBConnection,
  sql: string,
  values: readonly BoundValue[] = [],
): Promise<readonly (readonly Cell[])[]> {
  const statement = await connection.prepare(sql);
  try {
    bind(statement, values);
    const result = await statement.stream();
    const readers = result.columnTypes().map(createCellReader);
    const rows: Cell[][] = [];
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      for (const row of openChunk(chunk, readers)(0, chunk.rowCount)) rows.push(row);
    }
    return rows;
  } finally {
    statement.destroySync();
  }
}

/** Whether a table, or a SELECT in parentheses, has rows. */
export async function hasRows(connection: DuckDBConnection, table: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(`SELECT 1 FROM ${table} LIMIT 1`);
  return reader.currentRowCount > 0;
}

/** Replaces the placeholders `:p1`, `:p2`, … of a statement by `$1`, `$2`, …, the placeholders of DuckDB. */
export function toDuckdbMarkers(sql: string): string {
  return sql.replace(/:p(\d+)/g, '$$$1');
}

/**
 * Adds a cast to each placeholder `$1`, `$2`, … whose value is a text with a date or a time. A placeholder can be
 * compared with columns of several types, so DuckDB cannot infer the type.
 */
export function castDateMarkers(sql: string, values: readonly BoundValue[]): string {
  return sql.replace(/\$(\d+)\b/g, (marker, number: string) => {
    const value = values[Number(number) - 1];
    if (typeof value !== 'string') return marker;
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return `${marker}::DATE`;
    return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value) ? `${marker}::TIMESTAMP` : marker;
  });
}
