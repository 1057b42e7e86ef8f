import type { Database } from './interface/database.js';
import type { QueryLimits } from './interface/deadline.js';

/** Runs a SELECT that returns the names of tables and columns, in the dialect of the database. Returns the columns of each table. */
export async function listColumns(
  database: Pick<Database, 'query'>,
  sql: string,
  limits: QueryLimits,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await database.query({ sql }, [], { ...limits, maxRows: MAX_COLUMNS });
  const columns = new Map<string, string[]>();
  for (const [table, column] of rows) {
    const name = String(table);
    columns.set(name, [...(columns.get(name) ?? []), String(column)]);
  }
  return columns;
}

/** The maximum number of columns. Messages suggest no names of further columns. */
const MAX_COLUMNS = 20_000;
