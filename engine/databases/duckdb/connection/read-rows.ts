import type { DuckDBConnection } from '@duckdb/node-api';
import type { BoundValue, Cell } from '../../interface/database.js';
import { createCellReader } from '../results/cells.js';
import { openChunk } from '../results/result-rows.js';
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
